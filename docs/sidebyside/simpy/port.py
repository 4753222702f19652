import random
import simpy

PORTS, BLOCKS, CRANES, CREWS, TRUCKS, LANES = 2, 12, 8, 1, 30, 5
ROOM = 300  # boxes in a block of the yard
KINDS = [(12, 200, 2), (20, 500, 2), (48, 1200, 1)]  # hours between ships, moves, berths
LIFE, REPAIR, MOVE, DRIVE = 40, 3, 0.05, 0.05  # of cranes and trucks, hours
RATE, PATIENCE = 118, 2  # of trucks that fetch boxes


class Port:
    def __init__(self, env):
        self.env = env
        self.berths = [simpy.Resource(env, n) for _, _, n in KINDS]
        self.cranes = simpy.Container(env, CRANES, CRANES)
        self.crews = simpy.Resource(env, CREWS)
        self.trucks = simpy.Resource(env, TRUCKS)
        self.lanes = simpy.Resource(env, LANES)
        self.blocks = [simpy.Store(env, ROOM) for _ in range(BLOCKS)]
        self.waits = [[] for _ in KINDS]
        self.stays = [[] for _ in KINDS]
        self.dwells, self.left = [], 0
        for kind in range(len(KINDS)):
            env.process(self.ships(kind))
        env.process(self.gate())

    def ships(self, kind):
        while True:
            yield self.env.timeout(random.expovariate(1 / KINDS[kind][0]))
            self.env.process(self.ship(kind))

    def berth(self, kind):
        free = [b for b in self.berths[kind:] if b.count < b.capacity]
        return free[0] if free else self.berths[kind]

    def ship(self, kind):
        came, moves = self.env.now, KINDS[kind][1]
        with self.berth(kind).request() as turn:
            yield turn
            n = min(4, max(2, self.cranes.level))
            yield self.cranes.get(n)
            self.waits[kind].append(self.env.now - came)
            boxes = iter(range(random.randint(moves // 2, moves * 3 // 2)))
            yield self.env.all_of([self.env.process(self.crane(boxes)) for _ in range(n)])
        self.stays[kind].append(self.env.now - came)

    def crane(self, boxes):
        life = random.expovariate(1 / LIFE)
        for _ in boxes:
            move = random.gammavariate(4, MOVE / 4)
            while move > life:
                yield self.env.timeout(life)
                with self.crews.request() as crew:
                    yield crew
                    yield self.env.timeout(random.expovariate(1 / REPAIR))
                move, life = move - life, random.expovariate(1 / LIFE)
            yield self.env.timeout(move)
            life -= move
            self.env.process(self.carry())
        yield self.cranes.put(1)

    def carry(self):
        with self.trucks.request() as truck:
            yield truck
            yield self.env.timeout(DRIVE + random.expovariate(1 / DRIVE))
            yield random.choice(self.blocks).put(self.env.now)
            yield self.env.timeout(DRIVE)

    def gate(self):
        while True:
            yield self.env.timeout(random.expovariate(RATE))
            if 6 <= self.env.now % 24 < 22:
                self.env.process(self.fetch())

    def fetch(self):
        with self.lanes.request() as lane:
            yield lane | self.env.timeout(random.expovariate(1 / PATIENCE))
            if not lane.triggered:
                self.left += 1
                return
            yield self.env.timeout(random.triangular(0.01, 0.05, 0.02))
        yield self.env.timeout(DRIVE + random.expovariate(1 / DRIVE))
        box = random.choice(self.blocks).get()
        yield box | self.env.timeout(random.expovariate(1 / PATIENCE))
        if not box.triggered:
            box.cancel()
            self.left += 1
            return
        self.dwells.append(self.env.now - box.value)


def mean(numbers):
    return sum(numbers) / max(len(numbers), 1)


random.seed(1)
env = simpy.Environment()
ports = [Port(env) for _ in range(PORTS)]
env.run(until=24 * 60)
for kind, name in enumerate(["feeder", "panamax", "mega"]):
    waits = [w for port in ports for w in port.waits[kind]]
    stays = [s for port in ports for s in port.stays[kind]]
    print(f"{len(waits)} {name}s waited {mean(waits):.2f} hours and stayed {mean(stays):.2f}")
dwells = [d for port in ports for d in port.dwells]
print(f"{len(dwells)} boxes stayed {mean(dwells):.2f} hours, {sum(p.left for p in ports)} trucks left without")
