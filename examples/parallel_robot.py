#!/usr/bin/env python3
"""Pictures of the parallel robot, like figures 3 to 6 of INRIA report 6834, and its list of events.

    python3 examples/parallel_robot.py [FOLDER]      needs gnuplot; FOLDER is robot/ if left out

Writes trajectory.csv, stats.json, events.md and figure3.svg ... figure6.svg. The tool is ./hydae, or what HYDAE names.
"""
import csv
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HYDAE = os.environ.get("HYDAE", os.path.join(ROOT, "hydae"))
PATH_X = "(-0.35*sin(2*pi*$1))"
PATH_Z = "(-0.7 + 0.1*cos(2*pi*$1))"


def simulate(folder):
    table, stats = os.path.join(folder, "trajectory.csv"), os.path.join(folder, "stats.json")
    subprocess.run([HYDAE, "simulate", "problem:parallel_robot", "--tolerance", "1e-12", "--points", "2001",
                    "--output", table, "--stats", stats, "--quiet", "--no-progress"], check=True)
    with open(table, encoding="utf-8") as file:
        header = next(csv.reader(file))
    with open(stats, encoding="utf-8") as file:
        return table, header, json.load(file)


def write_events(folder, stats):
    lines = ["| t | relation | mode |", "|---|---|---|"]
    for event in stats["events"]:
        relations = "; ".join(f"`{text}`" for text in event["relations"])
        lines.append(f"| {event['t']:.12f} | {relations} | {event['from_mode']} to {event['to_mode']} |")
    with open(os.path.join(folder, "events.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_event_points(folder, stats):
    """Times of the events of each guard, for the marks on the zero line."""
    guards = {"speed1": ("der(q1) >= 0",), "speed2": ("der(q2) >= 0",),
              "1-": ("qd1", "> alpha"), "1+": ("qd1", "< -alpha"), "2-": ("qd2", "> alpha"), "2+": ("qd2", "< -alpha")}
    names = {}
    for guard, words in guards.items():
        names[guard] = os.path.join(folder, f"events_{guard}.dat")
        times = [e["t"] for e in stats["events"] if any(all(w in r for w in words) for r in e["relations"])]
        with open(names[guard], "w", encoding="utf-8") as file:
            file.writelines(f"{t!r},0\n" for t in times)
    return {guard: name for guard, name in names.items() if os.path.getsize(name) > 0}


def draw(folder, table, header, points):
    at = {name: index + 1 for index, name in enumerate(header)}

    def column(name):
        return f"${at[name]}"

    def control(i):
        error = f"({column(f'qd{i}')} - {column(f'q{i}')})"
        rate = f"({column(f'der(qd{i})')} - {column(f'der(q{i})')})"
        return f"600*({error} + {column(f'E{i}')}/300 + 0.05*{rate})"

    def curve(x, y, title):
        return f"'{table}' every ::1 using ({x}):({y}) with lines title '{title}'"

    def marks(guard):
        return [f"'{points[guard]}' using 1:2 with points pt 6 title 'events'"] if guard in points else []

    time = "$1"
    figures = {
        3: [("x, z", [curve(PATH_X, PATH_Z, "prescribed"), curve(column("x"), column("z"), "computed")]),
            ("torques", [curve(time, column("Gamma1"), "Gamma1"), curve(time, column("Gamma2"), "Gamma2")])],
        4: [("x", [curve(time, PATH_X, "x_d"), curve(time, column("x"), "x")]),
            ("z", [curve(time, PATH_Z, "z_d"), curve(time, column("z"), "z")]),
            ("q1", [curve(time, column("qd1"), "q_d1"), curve(time, column("q1"), "q1")]),
            ("q2", [curve(time, column("qd2"), "q_d2"), curve(time, column("q2"), "q2")])],
        5: [("speeds of the plate", [curve(time, column("der(x)"), "der(x)"), curve(time, column("der(z)"), "der(z)")]),
            ("speed of arm 1", [curve(time, column("der(q1)"), "der(q1)"), *marks("speed1")]),
            ("speed of arm 2", [curve(time, column("der(q2)"), "der(q2)"), *marks("speed2")])],
        6: [(f"Gamma0_{i} {sign} 50", [curve(time, f"{control(i)} {sign} 50", f"Gamma0_{i} {sign} alpha"),
                                       *marks(f"{i}{sign}")]) for i in (1, 2) for sign in "-+"],
    }
    script = ["set datafile separator ','", "set grid", "set key top right"]
    for number, plots in figures.items():
        rows, columns = (1, 2) if len(plots) == 2 else (2, 2)
        script += [f"set terminal svg size 1000,{420 * rows} background 'white'",
                   f"set output '{os.path.join(folder, f'figure{number}.svg')}'",
                   f"set multiplot layout {rows},{columns}"]
        script += [f"set title '{title}'\nplot {', '.join(curves)}" for title, curves in plots]
        script += ["unset multiplot", "unset output"]
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "robot"
    os.makedirs(folder, exist_ok=True)
    table, header, stats = simulate(folder)
    write_events(folder, stats)
    draw(folder, table, header, write_event_points(folder, stats))
    print(f"{len(stats['events'])} events in {stats['modes_visited']} modes, integrated in "
          f"{stats['seconds']['integrate']:.4f} s; pictures and events.md in {folder}/")


if __name__ == "__main__":
    main()
