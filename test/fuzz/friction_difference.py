"""Blocks that slide and stick under a force, by contact() with friction, against the law itself.

A block v' = A sin(w t + p) + friction on the ground: between its stops v is known in closed form, stops are bisected,
it sticks while the force is below the static friction and then slides where the force is. Usage: friction_difference.py
HYDAE [COUNT [SEED]].
"""
import math
import os
import random
import subprocess
import sys
import tempfile

RUNS = [(solver, tolerance) for tolerance in (1e-3, 1e-4, 1e-6, 1e-9) for solver in ("auto", "taylor", "ida")]
STEP = 1e-3       # places that roots are looked for between
ALLOWED = 30      # tolerances
TIME_LIMIT = 20   # seconds


class Block:
    def __init__(self, rng):
        self.size, self.frequency, self.phase = rng.uniform(0.5, 3), rng.uniform(0.3, 4), rng.uniform(0, 6)
        self.mu = rng.uniform(0.3, 1)
        self.mu_static = self.mu * rng.choice([1, 1.2, 1.5])
        self.v, self.stop = rng.uniform(-2, 2), 15.0

    def force(self, t):
        return self.size * math.sin(self.frequency * t + self.phase)

    def gain(self, a, b):
        return -self.size / self.frequency * (math.cos(self.frequency * b + self.phase)
                                              - math.cos(self.frequency * a + self.phase))

    def first(self, begin, is_over):
        """The time from which is_over holds; the stop if it never does."""
        t = begin
        while not is_over(t):
            if t >= self.stop:
                return self.stop
            t += STEP
        low, high = max(t - STEP, begin), t
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if is_over(middle) else (middle, high)
        return high

    def last_speed(self):
        t, v = 0.0, self.v
        while True:
            if v == 0:
                t = self.first(t, lambda s: abs(self.force(s)) > self.mu_static)
                if t >= self.stop:
                    return 0.0
            direction = math.copysign(1, v if v != 0 else self.force(t))

            def speed(s, t=t, v=v, direction=direction):
                return v + self.gain(t, s) - direction * self.mu * (s - t)
            moving = t if v != 0 else t + 0.5 * STEP
            end = self.first(moving, lambda s: direction * speed(s) < 0)
            if end >= self.stop:
                return speed(self.stop)
            t, v = end, 0.0

    def text(self):
        return (f"model M Real v(start={self.v!r},fixed=true), h(start=0,fixed=true), w(start=0,fixed=true), N, f;\n"
                f"equation der(v) = {self.size!r}*sin({self.frequency!r}*time + {self.phase!r}) + f;\n"
                f"der(h) = w; der(w) = N - 1;\n"
                f"contact(h, N, slip=v, friction=f, mu={self.mu!r}, mu_static={self.mu_static!r}); end M;\n")


def run(hydae, file, block, solver, tolerance):
    command = [hydae, "simulate", file, "--stop", repr(block.stop), "--solver", solver, "--tolerance", str(tolerance),
               "--vars", "v", "--output", "-", "--quiet"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"no end within {TIME_LIMIT} s"
    if done.returncode != 0:
        return done.stderr.strip() or f"exit status {done.returncode}"
    return float(done.stdout.split()[-1].split(",")[1])


def main():
    hydae = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "m.mo")
        for k in range(count):
            block = Block(random.Random(f"{seed}/{k}"))
            right = block.last_speed()
            with open(file, "w") as f:
                f.write(block.text())
            for solver, tolerance in RUNS:
                got = run(hydae, file, block, solver, tolerance)
                if not isinstance(got, str) and abs(got - right) <= ALLOWED * tolerance + 1e-7:
                    continue
                failed += 1
                print(f"seed {seed}/{k}, {solver} at {tolerance}:\n{block.text()}got {got}, must be {right}\n", flush=True)
    print(f"{count} blocks with seed {seed}, {len(RUNS)} runs of each: {failed} wrong")
    sys.exit(1 if failed or count == 0 else 0)


if __name__ == "__main__":
    main()
