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
Problem pendulum_cash_index0();
Problem pleiades();
Problem ring_modulator_stiff();
Problem van_der_pol();
Problem vdpol();
Problem weissinger();

// Differential-algebraic equations.
Problem andrews();
Problem arevalo();
Problem biphasic(int nodes);
Problem brenan();
Problem brenan_campbell_petzold();
Problem broman_index1();
Problem broman_loop();
Problem broman_matching();
Problem broman_pendulum();
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
Problem mna_circuit();
Problem modified2pendula();
Problem modified_pendulum();
Problem pendulum();
Problem pendulum_cash();
Problem pendulum_cash_index1();
Problem pendulum_cash_index2();
Problem rc_circuit();
Problem rectifier_bridge();
Problem reissig(int k);
Problem ring_modulator();
Problem robertson();
Problem robot_arm();
Problem scholz_steinbrecher();
Problem tan_exponential();
Problem transamp();
Problem watson(int n);

// Hybrid systems.
Problem air_brake(int n);
Problem argesim_c5();
Problem bouncing_ball();
Problem bouncing_ball_zeno();
Problem breaking_pendulum();
Problem close_roots();
Problem clutch_benveniste();
Problem clutch_motor();
Problem constraints_swap();
Problem coulomb_oscillator();
Problem coupled_clutches();
Problem coupled_masses();
Problem cup_and_ball();
Problem dry_brake();
Problem exact_differential();
Problem flat_root();
Problem gear_shift();
Problem higher_impulse(int n);
Problem ideal_clutch();
Problem index_drop();
Problem mesh_events();
Problem overflow_tank();
Problem parallel_capacitors();
Problem parallel_robot();
Problem polynomial_guard();
Problem relay();
Problem relay_spiral();
Problem rocking_block();
Problem state_appears();
Problem state_removed();
Problem stick_slip();
Problem three_masses();
Problem two_tanks();

// Algebraic equations with a parameter.
Problem cubic_root();
Problem turning_chord();

// Ill-posed models.
Problem contradictory_equations();
Problem contradictory_start();
Problem equation_without_unknowns();
Problem illposed_pendula();
Problem raha_general();
Problem raha_simple();
Problem raha_unsolvable();
Problem redundant_equation();
Problem redundant_start();
Problem three_part_system();
Problem too_few_equations();
Problem too_many_equations();
Problem unused_variable();

}  // namespace hydae::problems
