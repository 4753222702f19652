"""Runs a program of docs/sidebyside/simpy to another end, and prints how fast it was, as Go's benchmarks do:

    /usr/bin/python3 rate.py PROGRAM END

An event is one that Environment.step has processed, such as a timeout, a request that was granted, or the beginning or
end of a process.
"""
import pathlib
import sys
import time

import simpy

path, end = pathlib.Path(sys.argv[1]), float(sys.argv[2])
run = simpy.Environment.run


def timed(env, until=None):
    began = time.perf_counter()
    run(env, end)
    seconds = time.perf_counter() - began
    events = next(env._eid) - len(env._queue)  # scheduled, less those that wait
    print(f"BenchmarkWaiting/model={path.stem}/impl=simpy 1 {seconds * 1e9:.0f} ns/op {events / seconds:.0f} events/s")


simpy.Environment.run = timed
exec(compile(path.read_text(), path, "exec"), {"__name__": "__main__"})
