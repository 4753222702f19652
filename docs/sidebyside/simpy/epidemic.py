import random
import simpy

PLACES, PEOPLE = 32, 500


class Place:
    def __init__(self):
        self.well, self.sick, self.over = PEOPLE, 0, 0


def person(env, ring, i):
    ring[i].well -= 1
    ring[i].sick += 1
    left = random.expovariate(1 / 5)
    while True:
        wait = random.expovariate(1 / 2)
        if wait >= left:
            break
        yield env.timeout(wait)
        left -= wait
        j = i
        if random.random() < 0.1:
            j = (i + random.choice((-1, 1))) % PLACES
        if random.random() < ring[j].well / PEOPLE:
            env.process(person(env, ring, j))
    yield env.timeout(left)
    ring[i].sick -= 1
    ring[i].over += 1


random.seed(1)
env = simpy.Environment()
ring = [Place() for _ in range(PLACES)]
for _ in range(5):
    env.process(person(env, ring, 0))
env.run(until=365)
print(f"{sum(p.over for p in ring)} of {PLACES * PEOPLE} people were sick in a year")
