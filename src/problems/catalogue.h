// All problems of the library, one function each; one with a size takes it as argument.
#pragma once

#include <hydae/problems.h>

namespace hydae::problems {

// Ordinary differential equations.
Problem arenstorf();
Problem jackiewicz();
Problem kamke();
Problem kepler();
Problem lorenz();
Problem outer_solar_system();
Problem pendulum_angle();
Problem pleiades();
Problem ring_modulator_stiff();
Problem van_der_pol();
Problem vdpol();
Problem weissinger();

// Differential-algebraic equations.
Problem andrews();
Problem arevalo();
Problem brenan();
Problem brenan_campbell_petzold();
Problem caraxis();
Problem chained_pendula(int P);
Problem chained_pendula_23();
Problem chemakzo();
Problem crane_path();
Problem crane_servo();
Problem crank();
Problem crank_oscillatory();
Problem crank_rigid();
Problem jay_index2();
Problem jay_index2_nonlinear();
Problem jay_index3();
Problem knife_edge();
Problem kvaerno();
Problem kvaerno_ide();
Problem modified2pendula();
Problem modified_pendulum();
Problem pendulum();
Problem pendulum_cash();
Problem rc_circuit();
Problem rectifier_bridge();
Problem reissig(int k);
Problem ring_modulator();
Problem robertson();
Problem robot_arm();
Problem scholz_steinbrecher();
Problem tan_exponential();
Problem transamp();

// Hybrid systems.
Problem bouncing_ball();
Problem bouncing_ball_zeno();
Problem close_roots();
Problem clutch_benveniste();
Problem clutch_motor();
Problem constraints_swap();
Problem coupled_masses();
Problem exact_differential();
Problem flat_root();
Problem gear_shift();
Problem higher_impulse(int n);
Problem ideal_clutch();
Problem index_drop();
Problem mesh_events();
Problem parallel_capacitors();
Problem parallel_robot();
Problem polynomial_guard();
Problem state_appears();
Problem state_removed();

}  // namespace hydae::problems
