import math
import random
import simpy

HOSPITALS, WARDS, NURSES, DOCTORS, BEDS = 4, 3, 4, 7, 40
ROOM = 40  # patients who may wait for a nurse
RATE, SWING = 12, 0.6  # patients in an hour, and how much that changes over the day
NURSING, TREATMENT, STAY, PATIENCE = 0.2, 0.45, 44, 3  # mean hours
IMMEDIATE, URGENT, ADMIT = 0.15, 0.35, 0.2  # shares of the patients
WALK, DRIVE = 0.05, 0.25  # hours
CLASSES = 3


class Unit:
    def __init__(self, env, staff):
        self.env, self.staff = env, simpy.PriorityResource(env, staff)
        self.waits = [[] for _ in range(CLASSES)]
        self.since = [[] for _ in range(CLASSES)]
        self.left, self.home, self.full, self.drove = [0] * CLASSES, 0, 0, 0

    def care(self, kind, came, since, patience, work):
        with self.staff.request(priority=kind) as turn:
            yield turn | self.env.timeout(patience)
            if not turn.triggered:
                self.left[kind] += 1
                return False
            self.waits[kind].append(self.env.now - since)
            self.since[kind].append(self.env.now - came)
            yield self.env.timeout(work)
        return True


class Hospital:
    def __init__(self, env):
        self.nurses, self.doctors = Unit(env, NURSES), Unit(env, DOCTORS)
        self.wards = [Unit(env, BEDS) for _ in range(WARDS)]


def door(env, hospitals, at):
    most = RATE * (1 + SWING)
    while True:
        yield env.timeout(random.expovariate(most))
        if random.random() * most < RATE * (1 - SWING * math.cos(2 * math.pi * env.now / 24)):
            env.process(patient(env, hospitals, at))


def patient(env, hospitals, at):
    came = env.now
    kind = random.choices(range(CLASSES), (IMMEDIATE, URGENT, 1 - IMMEDIATE - URGENT))[0]
    nursing, treatment = random.expovariate(1 / NURSING), random.expovariate(1 / TREATMENT)
    patience = [math.inf] * 2 if kind == 0 else [random.expovariate(1 / PATIENCE) for _ in range(2)]
    here = hospitals[at]
    while len(here.nurses.staff.queue) >= ROOM:
        here.nurses.drove += 1
        yield env.timeout(DRIVE)
        at = (at + 1) % HOSPITALS
        here = hospitals[at]
    if not (yield from here.nurses.care(kind, came, came, patience[0], nursing)):
        return
    since = env.now
    yield env.timeout(WALK)
    if not (yield from here.doctors.care(kind, came, since, patience[1], treatment)):
        return
    if random.random() >= ADMIT:
        here.doctors.home += 1
        return
    since, first = env.now, random.randrange(WARDS)
    yield env.timeout(WALK)
    for i in range(WARDS):
        ward = here.wards[(first + i) % WARDS]
        if ward.staff.count < ward.staff.capacity:
            break
        ward.full += 1
        yield env.timeout(WALK)
    else:
        ward = here.wards[first]
    yield from ward.care(0, came, since, math.inf, random.expovariate(1 / STAY))
    ward.home += 1


def mean(numbers):
    return sum(numbers) / max(len(numbers), 1)


random.seed(1)
env = simpy.Environment()
hospitals = [Hospital(env) for _ in range(HOSPITALS)]
for at in range(HOSPITALS):
    env.process(door(env, hospitals, at))
env.run(until=24 * 35)
for kind in range(CLASSES):
    since = [s for h in hospitals for s in h.doctors.since[kind]]
    left = sum(h.nurses.left[kind] + h.doctors.left[kind] for h in hospitals)
    print(f"class {kind}: {len(since)} saw a doctor after {mean(since):.3f} hours, {left} left")
beds = [w for h in hospitals for ward in h.wards for w in ward.waits[0]]
print(f"{len(beds)} were in a bed after {mean(beds):.3f} hours")
