import random
import simpy

NODES, LINK = 16, 1.0


def packet(env, at, to, delays):
    born = env.now
    while at != to:
        yield env.timeout(LINK)
        at = (at + 1) % NODES
    delays.append(env.now - born)


def node(env, at, delays):
    while True:
        yield env.timeout(random.expovariate(1 / 10))
        to = (at + random.randint(1, NODES - 1)) % NODES
        env.process(packet(env, at, to, delays))


random.seed(1)
env = simpy.Environment()
delays = []
for at in range(NODES):
    env.process(node(env, at, delays))
env.run(until=1000)
print(f"{len(delays)} packets, {sum(delays) / len(delays):.3f} ms on average")
