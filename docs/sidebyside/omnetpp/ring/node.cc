#include <omnetpp.h>
#include "Packet_m.h"

using namespace omnetpp;

class Node : public cSimpleModule
{
    cMessage *fresh = nullptr;
    simsignal_t delay;

  protected:
    void initialize() override
    {
        delay = registerSignal("delay");
        fresh = new cMessage("fresh");
        scheduleAfter(par("interval").doubleValue(), fresh);
    }

    void handleMessage(cMessage *msg) override
    {
        if (msg == fresh) {
            Packet *packet = new Packet("packet");
            packet->setTo((getIndex() + intuniform(1, getVectorSize() - 1)) % getVectorSize());
            send(packet, "out");
            scheduleAfter(par("interval").doubleValue(), fresh);
            return;
        }
        Packet *packet = check_and_cast<Packet *>(msg);
        if (packet->getTo() == getIndex()) {
            emit(delay, simTime() - packet->getCreationTime());
            delete packet;
        }
        else
            send(packet, "out");
    }

  public:
    ~Node() { cancelAndDelete(fresh); }
};

Define_Module(Node);
