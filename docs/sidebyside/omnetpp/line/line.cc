#include <omnetpp.h>

using namespace omnetpp;

class Source : public cSimpleModule
{
    cMessage *make = nullptr;

  protected:
    void initialize() override
    {
        make = new cMessage("make");
        scheduleAfter(par("interarrival").doubleValue(), make);
    }

    void handleMessage(cMessage *) override
    {
        send(new cMessage("item"), "out");
        scheduleAfter(par("interarrival").doubleValue(), make);
    }

  public:
    ~Source() { cancelAndDelete(make); }
};

Define_Module(Source);

class Queue : public cSimpleModule
{
    cMessage *ready = nullptr, *served = nullptr;
    cQueue waiting;
    simsignal_t waited;

    void serve(cMessage *item)
    {
        served = item;
        emit(waited, simTime() - item->getArrivalTime());
        scheduleAfter(par("service").doubleValue(), ready);
    }

  protected:
    void initialize() override
    {
        ready = new cMessage("ready");
        waited = registerSignal("wait");
    }

    void handleMessage(cMessage *msg) override
    {
        if (msg == ready) {
            send(served, "out");
            served = nullptr;
            if (!waiting.isEmpty())
                serve(check_and_cast<cMessage *>(waiting.pop()));
        }
        else if (served)
            waiting.insert(msg);
        else
            serve(msg);
    }

  public:
    ~Queue() { cancelAndDelete(ready); delete served; }
};

Define_Module(Queue);

class Sink : public cSimpleModule
{
    simsignal_t stay;

  protected:
    void initialize() override { stay = registerSignal("stay"); }

    void handleMessage(cMessage *item) override
    {
        emit(stay, simTime() - item->getCreationTime());
        delete item;
    }
};

Define_Module(Sink);
