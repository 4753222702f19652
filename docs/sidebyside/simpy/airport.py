import random
import simpy

ROWS, COLUMNS = 32, 32  # of airports, on a grid whose edges are joined
AIRPORTS, PLANES = ROWS * COLUMNS, 2  # planes at each airport at the beginning
LANDING, GROUND, FLIGHT = 10, 30, 3  # mean times


def neighbour(at):  # north and south are one column off, as in the original
    side = random.randrange(4)
    if side == 0:
        return at + AIRPORTS - COLUMNS if at < COLUMNS else at - COLUMNS + 1
    if side == 1:
        return at - AIRPORTS + COLUMNS if at >= AIRPORTS - COLUMNS else at + COLUMNS - 1
    row, column = divmod(at, COLUMNS)
    return row * COLUMNS + (column + (1 if side == 2 else -1)) % COLUMNS


def plane(env, runways, waits, at):
    while True:
        yield env.timeout(random.expovariate(1 / GROUND))
        yield env.timeout(random.expovariate(1 / FLIGHT))
        at, came = neighbour(at), env.now
        with runways[at].request() as turn:
            yield turn
            waits.append(env.now - came)
            yield env.timeout(random.expovariate(1 / LANDING))


random.seed(1)
env = simpy.Environment()
runways = [simpy.Resource(env) for _ in range(AIRPORTS)]
waits = []
for at in range(AIRPORTS):
    for _ in range(PLANES):
        env.process(plane(env, runways, waits, at))
env.run(until=1000)
print(f"{len(waits)} planes waited {sum(waits) / len(waits):.2f} on average")
