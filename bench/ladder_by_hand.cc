#include "ladder_by_hand.h"

#include <cmath>
#include <ctime>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdexcept>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

namespace hydae {
namespace {

using Hand = LadderByHand;

// Unknowns i_0, v_0, i_1, v_1, ...
int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  const int n = *static_cast<int*>(data);
  const double *u = NV_DATA_S(y), *d = NV_DATA_S(yp);
  double* f = NV_DATA_S(r);
  for (int k = 0; k < n; ++k) {
    const double before = k > 0 ? u[2 * k - 1] : std::sin(Hand::kOmega * t);
    const double next = k + 1 < n ? u[2 * k + 2] : u[2 * k + 1] / Hand::kLoad;
    f[2 * k] = Hand::kL * d[2 * k] - before + Hand::kR * u[2 * k] + u[2 * k + 1];
    f[2 * k + 1] = Hand::kC * d[2 * k + 1] - u[2 * k] + next;
  }
  return 0;
}

int jacobian(double, double cj, N_Vector, N_Vector, N_Vector, SUNMatrix m, void* data, N_Vector,
             N_Vector, N_Vector) {
  const int n = *static_cast<int*>(data);
  sunindextype *start = SUNSparseMatrix_IndexPointers(m), *row = SUNSparseMatrix_IndexValues(m);
  double* value = SUNSparseMatrix_Data(m);
  sunindextype at = 0;
  const auto put = [&](sunindextype i, double v) {
    row[at] = i;
    value[at++] = v;
  };
  for (int k = 0; k < n; ++k) {
    start[2 * k] = at;  // by i_k
    if (k > 0) put(2 * k - 1, 1);
    put(2 * k, cj * Hand::kL + Hand::kR);
    put(2 * k + 1, -1);
    start[2 * k + 1] = at;  // by v_k
    put(2 * k, 1);
    put(2 * k + 1, cj * Hand::kC + (k + 1 < n ? 0 : 1 / Hand::kLoad));
    if (k + 1 < n) put(2 * k + 2, -1);
  }
  start[2 * n] = at;
  return 0;
}

void require(int flag) {
  if (flag < 0) throw std::runtime_error("IDA failed");
}

}  // namespace

void LadderByHand::integrate() {
  const std::clock_t begin = std::clock();
  SUNContext context = nullptr;
  require(SUNContext_Create(nullptr, &context));
  const sunindextype n = 2 * setting_.sections;
  N_Vector y = N_VNew_Serial(n, context), yp = N_VNew_Serial(n, context);
  N_VConst(0, y);
  N_VConst(0, yp);
  SUNMatrix matrix = SUNSparseMatrix(n, n, 3 * n, CSC_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(y, matrix, context);
  void* ida = IDACreate(context);
  require(IDAInit(ida, residual, 0, y, yp));
  require(IDASStolerances(ida, setting_.rtol, setting_.atol));
  require(IDASetUserData(ida, &setting_.sections));
  require(IDASetLinearSolver(ida, solver, matrix));
  require(IDASetJacFn(ida, jacobian));
  require(IDASetMaxNumSteps(ida, -1));
  double t = 0;
  require(IDASetStopTime(ida, setting_.stop));
  require(IDASolve(ida, setting_.stop, &t, y, yp, IDA_NORMAL));
  first_voltage_ = NV_DATA_S(y)[1];
  IDAGetNumSteps(ida, &steps_);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(yp);
  SUNContext_Free(&context);
  seconds_ = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace hydae
