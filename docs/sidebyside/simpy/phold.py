import random
import simpy

MEMBERS, JOBS = 64, 4


def job(env, received, at):
    while True:
        if random.random() < 0.25:
            at = random.randrange(MEMBERS)
        yield env.timeout(0.1 + random.expovariate(1 / 0.9))
        received[at] += 1


random.seed(1)
env = simpy.Environment()
received = [0] * MEMBERS
for at in range(MEMBERS):
    for _ in range(JOBS):
        env.process(job(env, received, at))
env.run(until=100)
print(sum(received), "events")
