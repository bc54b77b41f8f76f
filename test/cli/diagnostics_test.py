#!/usr/bin/env python3
"""Messages that need more than one text: libraries of several files, tables, runs, other commands. Each case is the name of the
diagnostic, the files, the command, the exit status and what the message says; test/golden/messages has those of one text."""
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv[1])

TABLE = """class Table extends ExternalObject;
  function constructor input String name; input String file; input Real data[:,:]; input Integer columns[:];
    input Integer smoothness; input Integer extrapolation; output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2(file, name, data, size(data, 1), size(data, 2), columns, size(columns, 1),
      smoothness, extrapolation, true); end constructor;
  function destructor input Table t; external "C" ModelicaStandardTables_CombiTable1D_close(t); end destructor;
end Table;
function value input Table t; input Integer column; input Real u; output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, column, u); end value;
model M Table t = Table("t", %s, {2}, %s, %s); Real y = value(t, 1, time); end M;
"""
FLUID = "connector P Real p; %s stream Real h; end P; model S P port; equation port.p = 1; port.h = 2; end S; "

CASES = [
    # Libraries of several files.
    ("no-class-in-file", {"L/package.mo": "package L end L;", "L/A.mo": "// nothing"}, "check L.A", 1, "holds no class"),
    ("wrong-class-in-file", {"L/package.mo": "package L end L;", "L/A.mo": "within L; model B end B;"}, "check L.A", 1, "must hold class `A`, not `B`"),
    ("several-classes-in-file", {"L/package.mo": "package L end L;", "L/A.mo": "within L; model A Real x = 1; end A; model B end B;"}, "check L.A", 1,
     "holds 2 classes"),
    ("wrong-within", {"L/package.mo": "package L end L;", "L/A.mo": "within K; model A Real x = 1; end A;"}, "check L.A", 0, "says `within K` but lies in `L`"),
    ("within-not-found", {"M.mo": "within Nowhere; model M Real x = 1; end M;"}, "check M.mo", 1, "package `Nowhere` is not found"),
    ("file-not-readable", {"L/package.mo": "package L end L;", "L/A.mo": None}, "check L.A", 1, "cannot read"),
    # Classes.
    ("duplicate-inherited", {"M.mo": "model A Real y; equation y = 1; end A; model B extends A; end B; model C extends A; end C; "
                                     "model M extends B; extends C; end M;"}, "check M.mo", 0, "the equations of `A` are inherited twice and count once"),
    ("redeclare-nothing", {"M.mo": "model A Real x = 1; end A; model M extends A; redeclare model extends B end B; end M;"}, "check M.mo", 1,
     "to redeclare"),
    ("misplaced-end", {"M.mo": "model M Real v[end] = {1, 2}; end M;"}, "check M.mo", 1, "`end` can only stand in a subscript"),
    ("misplaced-colon", {"M.mo": "model M Real x[2, 2] = {{1, 2}, {3, 4}}; Real y = sum(x[1, : + 1]); end M;"}, "check M.mo", 1, "`:` can only be a subscript"),
    ("contact-equation", {"M.mo": "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), F; Boolean c; equation der(x) = v; der(v) = F - 9.81; "
                                  "(if c then 2*x else F) = 0; when (if c then F else x) < 0 then c = not pre(c); impulse(F, 0.5, \"newton\"); end when; "
                                  "annotation(__hydae(flat = true)); end M;"}, "check M.mo", 1, "the contact of `F` has no equation `if c then x else F = 0`"),
    ("not-supported-yet", {"M.mo": "model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.5); end M;"}, "dump --stage jacobian M.mo", 1,
     "`delay` is not supported"),
    ("not-differentiable", {"M.mo": "function f input Real u; output Real y; protected Real s; algorithm s := 0; y := 0; while s < 0.01*u*u loop "
                                    "y := y + u^5; s := s + 0.1; end while; end f; model M Real x(start = 1), v, a, j, F; equation der(x) = v; "
                                    "der(v) = a; der(a) = j; der(j) = F; 0 = f(x) - time - 1; end M;"}, "partition M.mo", 1,
     "can be differentiated twice"),
    ("not-a-stream", {"M.mo": "model M Real x = inStream(time); end M;"}, "check M.mo", 1, "needs a stream variable"),
    ("stream-without-flow", {"M.mo": FLUID % "" + "model M S a; S b; Real x = inStream(a.port.h); equation connect(a.port, b.port); end M;"}, "check M.mo M", 1,
     "has no flow variable"),
    # Files and tables.
    ("table-empty", {"M.mo": TABLE % ('"NoName", fill(0.0, 0, 2)', 1, 1)}, "check M.mo", 1, "the table has no data"),
    ("table-order", {"M.mo": TABLE % ('"NoName", {{0, 1}, {2, 3}, {1, 4}}', 1, 1)}, "check M.mo", 1, "must ascend: 1 follows 2"),
    ("table-option", {"M.mo": TABLE % ('"NoName", {{0, 1}, {1, 3}}', 9, 1)}, "check M.mo", 1, "no such smoothness"),
    ("table-option", {"M.mo": TABLE % ('"NoName", {{0, 1}, {1, 3}}', 1, 9)}, "check M.mo", 1, "no such extrapolation"),
    ("table-file", {"M.mo": TABLE % ('"data.txt", fill(0.0, 0, 2)', 1, 1), "data.txt": "no table"}, "check M.mo", 1, "must begin with `#1`"),
    ("table-file", {"M.mo": TABLE % ('"data.csv", fill(0.0, 0, 2)', 1, 1), "data.csv": "0,1\n1,2x\n"}, "check M.mo", 1, "`x` follows a number"),
    ("table-file", {"M.mo": TABLE % ('"data.txt", fill(0.0, 0, 2)', 1, 1), "data.txt": "#1\ndouble t(99999999, 99999999)\n1\n"}, "check M.mo", 1,
     "impossible size"),
    ("table-file", {"M.mo": TABLE % ('"data.txt", fill(0.0, 0, 2)', 1, 1), "data.txt": "#1\ndouble t(two, 2)\n1\n"}, "check M.mo", 1, "not readable"),
    ("file-not-found", {"M.mo": 'function lines input String f; output Integer n; external "C" n = ModelicaInternal_countLines(f); end lines; '
                                'model M parameter Integer n = lines("none.txt"); Real x = n; end M;'}, "check M.mo", 1, "none.txt"),
    ("resource-not-found", {"M.mo": 'function lines input String f; output Integer n; external "C" n = ModelicaInternal_countLines(f); end lines; '
                                    'model M parameter Integer n = lines("modelica://Nowhere/x.txt"); Real x = n; end M;'}, "check M.mo", 1,
     "the folder of `Nowhere` is not found"),
    ("file-not-written", {"M.mo": 'function w input String f; input String n; output Boolean is_done; external "C" is_done = '
                                  'ModelicaIO_writeRealMatrix(f, n, {{1.0}}, 1, 1, true); end w; '
                                  'model M parameter Boolean b = w("a.mat", "x"); Real x = if b then 1 else 0; end M;'}, "check M.mo", 0, "do not write files"),
    ("file-not-written", {"M.mo": 'function w input String s; input String f; external "C" ModelicaInternal_print(s, f); end w; '
                                  'model M Real x = 1; equation when time > 0.5 then w("hello", "out.txt"); end when; end M;'}, "check M.mo", 0, "do not write files"),
    ("singular-system", {"M.mo": "function s input Real A[2,2]; input Real b[2]; output Real x[2]; output Integer info; protected Integer p[2]; "
                                 "external \"FORTRAN 77\" dgesv(2, 1, A, 2, p, x, 2, info); end s; "
                                 "model M parameter Real x[2] = s({{1, 2}, {2, 4}}, {1, 1}); end M;"}, "check M.mo", 1, ""),
    # Structure, runs and other commands.
    ("delay-in-partition", {"M.mo": "model M Real x(start = 1); Real y; equation der(x) = -y; y = delay(x, 1); end M;"}, "partition M.mo", 1, "has a delay"),
    ("discrete-loop", {"M.mo": "model M Boolean a, b; equation a = not b; b = not a; end M;"}, "simulate M.mo", 1, "depend on each other in a loop"),
]


class Diagnostics(unittest.TestCase):
    def said(self, files, command):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if text is None:
                    os.mkfifo(path)
                    continue
                with open(path, "w") as handle:
                    handle.write(text)
            return subprocess.run([TOOL, *command.split(), "--path", folder], capture_output=True, text=True, timeout=60, cwd=folder)

    def test_each_is_said_by_its_name_with_the_status_it_has(self):
        for name, files, command, status, text in CASES:
            with self.subTest(name, command=command):
                result = self.said(files, command)
                self.assertIn(f"[{name}]", result.stderr)
                self.assertIn(text, result.stderr)
                self.assertEqual(result.returncode, status, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
