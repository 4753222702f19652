import random
import simpy


def customer(env, counter, waits, left):
    came = env.now
    needs, patience = random.expovariate(1 / 12), random.uniform(5, 15)
    with counter.request() as turn:
        yield turn | env.timeout(patience)
        if not turn.triggered:
            left.append(env.now)
            return
        waits.append(env.now - came)
        yield env.timeout(needs)


def source(env, counter, waits, left):
    while True:
        yield env.timeout(random.expovariate(1 / 10))
        env.process(customer(env, counter, waits, left))


random.seed(1)
env = simpy.Environment()
counter = simpy.Resource(env, capacity=1)
waits, left = [], []
env.process(source(env, counter, waits, left))
env.run(until=10_000)
print(f"{len(waits)} served after {sum(waits) / len(waits):.2f} minutes, {len(left)} left")
