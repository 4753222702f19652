import random
import simpy


def patient(env, clerks, waits):
    came = env.now
    with clerks.request() as turn:
        yield turn
        waits.append(env.now - came)
        yield env.timeout(random.expovariate(1 / 2.5))


def door(env, clerks, waits):
    while True:
        yield env.timeout(random.expovariate(1))
        env.process(patient(env, clerks, waits))


random.seed(1)
env = simpy.Environment()
clerks = simpy.Resource(env, capacity=3)
waits = []
env.process(door(env, clerks, waits))
env.run(until=10_000)
print(f"{len(waits)} patients waited {sum(waits) / len(waits):.2f} minutes on average")
