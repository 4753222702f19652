#include <omnetpp.h>

using namespace omnetpp;

class Member : public cSimpleModule
{
    simsignal_t received;

    void pass(cMessage *job)
    {
        int to = getIndex();
        if (dblrand() < 0.25)
            to = intuniform(0, getVectorSize() - 1);
        sendDelayed(job, exponential(0.9), "out", to);
    }

  protected:
    void initialize() override
    {
        received = registerSignal("received");
        for (int i = 0; i < par("jobs").intValue(); i++)
            pass(new cMessage("job"));
    }

    void handleMessage(cMessage *job) override
    {
        emit(received, 1L);
        pass(job);
    }
};

Define_Module(Member);
