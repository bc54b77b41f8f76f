"""A particle on a circle in space under gravity, the circle written as the meet of more surfaces than it takes.

Sphere, plane, cylinder, paraboloids and a second sphere, two to four of them, each with a force along its gradient; starts
anywhere, at the ends of the swing, at rest or not; equations in any order. Claim: `--redundant drop` finds what is too much and
gives the motion phi'' = -g cos(phi) of the angle, which Python integrates by itself (Runge-Kutta, 4000 steps).

  python3 test/fuzz/redundant_surfaces.py TOOL [COUNT [SEED]]
"""
import csv
import io
import math
import os
import random
import subprocess
import sys
import tempfile

# Surface, and its gradient in x, y, z.
SURFACES = (
    ("x^2+y^2+z^2=1", ("2*x", "2*y", "2*z")), ("z=0", ("0", "0", "1")), ("x^2+y^2=1", ("2*x", "2*y", "0")),
    ("x^2+y^2=1+z", ("2*x", "2*y", "-1")), ("sqrt(x^2+y^2)=1", ("x", "y", "0")),
    ("x^2+y^2+(z-1)^2=2", ("2*x", "2*y", "2*(z-1)")), ("2*x^2+2*y^2-2=0", ("4*x", "4*y", "0")),
    ("z=x^2+y^2-1", ("-2*x", "-2*y", "1")), ("3*z=0", ("0", "0", "3")))
PLANES = ("z=0", "3*z=0")
LEVEL = ("x^2+y^2+z^2=1", "x^2+y^2=1", "sqrt(x^2+y^2)=1", "2*x^2+2*y^2-2=0")  # gradients without z on the circle
TOLERANCE = 1e-4


def meets_in_circle(names):
    """Whether the gradients span the plane across the circle."""
    curved = [name for name in names if name not in PLANES]
    has_level, has_slant = any(n in LEVEL for n in curved), any(n not in LEVEL for n in curved)
    slants = {"x^2+y^2+(z-1)^2=2"} & set(curved), {"x^2+y^2=1+z", "z=x^2+y^2-1"} & set(curved)
    return bool(curved) and (len(curved) < len(names) or has_level and has_slant or all(slants))


def angle_after(g, phi, w, duration, steps=4000):
    h = duration / steps

    def rate(p, v):
        return v, -g * math.cos(p)
    for _ in range(steps):
        a = rate(phi, w)
        b = rate(phi + h / 2 * a[0], w + h / 2 * a[1])
        c = rate(phi + h / 2 * b[0], w + h / 2 * b[1])
        d = rate(phi + h * c[0], w + h * c[1])
        phi += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        w += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
    return phi


class Problem:
    def __init__(self, seed):
        r = random.Random(seed)
        chosen = []
        while not meets_in_circle([name for name, _ in chosen]):
            chosen = r.sample(SURFACES, r.randint(2, 4))
        is_special = r.random() < 0.5
        self.phi = r.choice([0, math.pi / 2, -math.pi / 2, math.pi]) if is_special else r.uniform(-3, 3)
        self.w = r.choice([0, 1.0]) if is_special else r.uniform(-1, 1)
        self.g = r.choice([9.81, 1.0])
        at = {"x": round(math.cos(self.phi), 15) + 0.0, "y": round(math.sin(self.phi), 15) + 0.0}
        rates = {"x": -self.w * math.sin(self.phi), "y": self.w * math.cos(self.phi)}
        held, other = ("x", "y") if abs(at["y"]) > abs(at["x"]) else ("y", "x")
        declared = [f"Real {held}(start={at[held]}, fixed=true), {other}(start={at[other]}), z(start=0);",
                    f"Real v{held}(start={round(rates[held], 15) + 0.0}, fixed=true), v{other}, vz, l[{len(chosen)}];"]
        forces = ["+".join(f"l[{k + 1}]*({gradient[i]})" for k, (_, gradient) in enumerate(chosen)) for i in range(3)]
        equations = ["der(x)=vx;", "der(y)=vy;", "der(z)=vz;", f"der(vx)={forces[0]};", f"der(vy)={forces[1]}-{self.g};",
                     f"der(vz)={forces[2]};"] + [name + ";" for name, _ in chosen]
        if r.random() < 0.5:
            r.shuffle(equations)
        self.text = "\n".join(["model m", *declared, "equation", *equations, "end m;", ""])


def faults(tool, path, problem):
    with open(path, "w") as handle:
        handle.write(problem.text)
    phi = angle_after(problem.g, problem.phi, problem.w, 1)
    for solver in ("taylor", "ida"):
        result = subprocess.run([tool, "simulate", path, "--redundant", "drop", "--solver", solver, "--stop", "1", "--points", "2",
                                 "--tolerance", "1e-8", "--output", "-"], capture_output=True, text=True, timeout=120)
        if result.returncode != 0:
            yield f"{solver} ends with {result.returncode}: {result.stderr[:300]}"
            continue
        last = list(csv.DictReader(io.StringIO(result.stdout)))[-1]
        for name, value in (("x", math.cos(phi)), ("y", math.sin(phi))):
            if abs(float(last[name]) - value) > TOLERANCE:
                yield f"{solver}: {name} is {last[name]}, not {value}"


def main():
    tool = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    num_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(seed, seed + count):
            problem = Problem(k)
            found = list(faults(tool, os.path.join(folder, "m.mo"), problem))
            if found:
                num_faults += 1
                print(f"seed {k}:", *found, problem.text, sep="\n  ")
    print(f"{count} circles with seeds from {seed}: {num_faults} faults")
    return 1 if num_faults else 0


if __name__ == "__main__":
    sys.exit(main())
