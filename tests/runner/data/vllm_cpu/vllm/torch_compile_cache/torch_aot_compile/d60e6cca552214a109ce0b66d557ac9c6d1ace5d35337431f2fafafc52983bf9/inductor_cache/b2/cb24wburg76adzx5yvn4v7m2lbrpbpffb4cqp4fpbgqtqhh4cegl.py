# AOT ID: ['0_inference']
from ctypes import c_void_p, c_long, c_int
import torch
import math
import random
import os
import tempfile
from math import inf, nan
from cmath import nanj
from torch._inductor.hooks import run_intermediate_hooks
from torch._inductor.utils import maybe_profile
from torch._inductor.codegen.memory_planning import _align as align
from torch import device, empty_strided
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.select_algorithm import extern_kernels

aten = torch.ops.aten
inductor_ops = torch.ops.inductor
_quantized = torch.ops._quantized
assert_size_stride = torch._C._dynamo.guards.assert_size_stride
assert_alignment = torch._C._dynamo.guards.assert_alignment
empty_strided_cpu = torch._C._dynamo.guards._empty_strided_cpu
empty_strided_cpu_pinned = torch._C._dynamo.guards._empty_strided_cpu_pinned
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
empty_strided_xpu = torch._C._dynamo.guards._empty_strided_xpu
empty_strided_mtia = torch._C._dynamo.guards._empty_strided_mtia
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
alloc_from_pool = torch.ops.inductor._alloc_from_pool
async_compile = AsyncCompile()
empty_strided_p2p = torch._C._distributed_c10d._SymmetricMemory.empty_strided_p2p


cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_0 = async_compile.cpp_pybinding(['const int32_t*', 'const float*', 'const float*', 'float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const int32_t* in_ptr0,
                       const float* in_ptr1,
                       const float* in_ptr2,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                {
                    float tmp_acc0 = 0;
                    at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
                    for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                    {
                        {
                            if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                            {
                                auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
                                auto tmp1 = c10::convert<int64_t>(tmp0);
                                auto tmp2 = tmp1;
                                auto tmp3 = c10::convert<int64_t>(tmp2);
                                TORCH_CHECK((0 <= tmp3) & (tmp3 < 512L), "index out of bounds: 0 <= tmp3 < 512L");
                                auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 128L*tmp1), static_cast<int64_t>(8));
                                auto tmp6 = tmp5 * tmp5;
                                tmp_acc0_vec = tmp_acc0_vec + tmp6;
                            }
                        }
                    }
                    tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
                    out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
                }
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                        {
                            auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
                            auto tmp6 = out_ptr0[static_cast<int64_t>(x0)];
                            auto tmp14 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(8));
                            auto tmp1 = c10::convert<int64_t>(tmp0);
                            auto tmp2 = tmp1;
                            auto tmp3 = c10::convert<int64_t>(tmp2);
                            TORCH_CHECK((0 <= tmp3) & (tmp3 < 512L), "index out of bounds: 0 <= tmp3 < 512L");
                            auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 128L*tmp1), static_cast<int64_t>(8));
                            auto tmp7 = static_cast<float>(128.0);
                            auto tmp8 = tmp6 / tmp7;
                            auto tmp9 = static_cast<float>(1e-05);
                            auto tmp10 = float(tmp8 + tmp9);
                            auto tmp11 = 1 / std::sqrt(tmp10);
                            auto tmp12 = at::vec::Vectorized<float>(tmp11);
                            auto tmp13 = tmp5 * tmp12;
                            auto tmp15 = tmp13 * tmp14;
                            tmp15.store(out_ptr1 + static_cast<int64_t>(x1 + 128L*x0));
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


cpp_fused_add_index_select_mul_split_split_with_sizes_sub_unsqueeze_view_1 = async_compile.cpp_pybinding(['const float*', 'const int64_t*', 'const float*', 'float*', 'float*', 'float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0,
                       const int64_t* in_ptr1,
                       const float* in_ptr2,
                       float* out_ptr0,
                       float* out_ptr1,
                       float* out_ptr2,
                       float* out_ptr3,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                #pragma GCC ivdep
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(4L); x1+=static_cast<int64_t>(1L))
                {
                    for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(8L))
                    {
                        {
                            if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(16L)))
                            {
                                auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x2 + 32L*x1 + 384L*x0), static_cast<int64_t>(8));
                                auto tmp1 = in_ptr1[static_cast<int64_t>(x0)];
                                auto tmp12 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(16L + x2 + 32L*x1 + 384L*x0), static_cast<int64_t>(8));
                                auto tmp19 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(128L + x2 + 32L*x1 + 384L*x0), static_cast<int64_t>(8));
                                auto tmp21 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(144L + x2 + 32L*x1 + 384L*x0), static_cast<int64_t>(8));
                                auto tmp2 = 256L;
                                auto tmp3 = c10::convert<int64_t>(tmp2);
                                auto tmp4 = int64_t(tmp1 + tmp3);
                                auto tmp5 = tmp1 < 0;
                                auto tmp6 = tmp5 ? tmp4 : tmp1;
                                auto tmp7 = tmp6;
                                auto tmp8 = c10::convert<int64_t>(tmp7);
                                TORCH_CHECK((0 <= tmp8) & (tmp8 < 256L), "index out of bounds: 0 <= tmp8 < 256L");
                                auto tmp10 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x2 + 32L*tmp6), static_cast<int64_t>(8));
                                auto tmp11 = tmp0 * tmp10;
                                auto tmp13 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(16L + x2 + 32L*tmp6), static_cast<int64_t>(8));
                                auto tmp14 = tmp12 * tmp13;
                                auto tmp15 = tmp11 - tmp14;
                                auto tmp16 = tmp12 * tmp10;
                                auto tmp17 = tmp0 * tmp13;
                                auto tmp18 = tmp16 + tmp17;
                                auto tmp20 = tmp19 * tmp10;
                                auto tmp22 = tmp21 * tmp13;
                                auto tmp23 = tmp20 - tmp22;
                                auto tmp24 = tmp21 * tmp10;
                                auto tmp25 = tmp19 * tmp13;
                                auto tmp26 = tmp24 + tmp25;
                                tmp15.store(out_ptr0 + static_cast<int64_t>(x2 + 32L*x1 + 128L*x0));
                                tmp18.store(out_ptr1 + static_cast<int64_t>(x2 + 32L*x1 + 128L*x0));
                                tmp23.store(out_ptr2 + static_cast<int64_t>(x2 + 32L*x1 + 128L*x0));
                                tmp26.store(out_ptr3 + static_cast<int64_t>(x2 + 32L*x1 + 128L*x0));
                            }
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_2 = async_compile.cpp_pybinding(['const float*', 'const int32_t*', 'const float*', 'const float*', 'float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0,
                       const int32_t* in_ptr1,
                       const float* in_ptr2,
                       const float* in_ptr3,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                {
                    float tmp_acc0 = 0;
                    at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
                    for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                    {
                        {
                            if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                            {
                                auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp1 = in_ptr1[static_cast<int64_t>(x0)];
                                auto tmp2 = c10::convert<int64_t>(tmp1);
                                auto tmp3 = tmp2;
                                auto tmp4 = c10::convert<int64_t>(tmp3);
                                TORCH_CHECK((0 <= tmp4) & (tmp4 < 512L), "index out of bounds: 0 <= tmp4 < 512L");
                                auto tmp6 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 128L*tmp2), static_cast<int64_t>(8));
                                auto tmp7 = tmp0 + tmp6;
                                auto tmp8 = tmp7 * tmp7;
                                tmp_acc0_vec = tmp_acc0_vec + tmp8;
                            }
                        }
                    }
                    tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
                    out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
                }
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                        {
                            auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                            auto tmp1 = in_ptr1[static_cast<int64_t>(x0)];
                            auto tmp8 = out_ptr0[static_cast<int64_t>(x0)];
                            auto tmp16 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1), static_cast<int64_t>(8));
                            auto tmp2 = c10::convert<int64_t>(tmp1);
                            auto tmp3 = tmp2;
                            auto tmp4 = c10::convert<int64_t>(tmp3);
                            TORCH_CHECK((0 <= tmp4) & (tmp4 < 512L), "index out of bounds: 0 <= tmp4 < 512L");
                            auto tmp6 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 128L*tmp2), static_cast<int64_t>(8));
                            auto tmp7 = tmp0 + tmp6;
                            auto tmp9 = static_cast<float>(128.0);
                            auto tmp10 = tmp8 / tmp9;
                            auto tmp11 = static_cast<float>(1e-05);
                            auto tmp12 = float(tmp10 + tmp11);
                            auto tmp13 = 1 / std::sqrt(tmp12);
                            auto tmp14 = at::vec::Vectorized<float>(tmp13);
                            auto tmp15 = tmp7 * tmp14;
                            auto tmp17 = tmp15 * tmp16;
                            tmp17.store(out_ptr1 + static_cast<int64_t>(x1 + 128L*x0));
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


cpp_fused_mul_onednn_mm_silu_slice_3 = async_compile.cpp_pybinding(['const float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0,
                       float* out_ptr0,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(256L); x1+=static_cast<int64_t>(8L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(256L)))
                        {
                            auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 512L*x0), static_cast<int64_t>(8));
                            auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(256L + x1 + 512L*x0), static_cast<int64_t>(8));
                            auto tmp1 = tmp0.neg();
                            auto tmp2 = tmp1.exp();
                            auto tmp3 = static_cast<float>(1.0);
                            auto tmp4 = at::vec::Vectorized<float>(tmp3);
                            auto tmp5 = tmp2 + tmp4;
                            auto tmp6 = tmp0 / tmp5;
                            auto tmp8 = tmp6 * tmp7;
                            tmp8.store(out_ptr0 + static_cast<int64_t>(x1 + 256L*x0));
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_4 = async_compile.cpp_pybinding(['const float*', 'const float*', 'const int32_t*', 'const float*', 'const float*', 'float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0,
                       const float* in_ptr1,
                       const int32_t* in_ptr2,
                       const float* in_ptr3,
                       const float* in_ptr4,
                       float* out_ptr0,
                       float* out_ptr1,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                {
                    float tmp_acc0 = 0;
                    at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
                    for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                    {
                        {
                            if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                            {
                                auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp2 = in_ptr2[static_cast<int64_t>(x0)];
                                auto tmp3 = c10::convert<int64_t>(tmp2);
                                auto tmp4 = tmp3;
                                auto tmp5 = c10::convert<int64_t>(tmp4);
                                TORCH_CHECK((0 <= tmp5) & (tmp5 < 512L), "index out of bounds: 0 <= tmp5 < 512L");
                                auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 128L*tmp3), static_cast<int64_t>(8));
                                auto tmp8 = tmp1 + tmp7;
                                auto tmp9 = tmp0 + tmp8;
                                auto tmp10 = tmp9 * tmp9;
                                tmp_acc0_vec = tmp_acc0_vec + tmp10;
                            }
                        }
                    }
                    tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
                    out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
                }
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                        {
                            auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                            auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                            auto tmp2 = in_ptr2[static_cast<int64_t>(x0)];
                            auto tmp10 = out_ptr0[static_cast<int64_t>(x0)];
                            auto tmp18 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1), static_cast<int64_t>(8));
                            auto tmp3 = c10::convert<int64_t>(tmp2);
                            auto tmp4 = tmp3;
                            auto tmp5 = c10::convert<int64_t>(tmp4);
                            TORCH_CHECK((0 <= tmp5) & (tmp5 < 512L), "index out of bounds: 0 <= tmp5 < 512L");
                            auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 128L*tmp3), static_cast<int64_t>(8));
                            auto tmp8 = tmp1 + tmp7;
                            auto tmp9 = tmp0 + tmp8;
                            auto tmp11 = static_cast<float>(128.0);
                            auto tmp12 = tmp10 / tmp11;
                            auto tmp13 = static_cast<float>(1e-05);
                            auto tmp14 = float(tmp12 + tmp13);
                            auto tmp15 = 1 / std::sqrt(tmp14);
                            auto tmp16 = at::vec::Vectorized<float>(tmp15);
                            auto tmp17 = tmp9 * tmp16;
                            auto tmp19 = tmp17 * tmp18;
                            tmp19.store(out_ptr1 + static_cast<int64_t>(x1 + 128L*x0));
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_5 = async_compile.cpp_pybinding(['const float*', 'const float*', 'const float*', 'const int32_t*', 'const float*', 'const float*', 'float*', 'float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const float* in_ptr0,
                       const float* in_ptr1,
                       const float* in_ptr2,
                       const int32_t* in_ptr3,
                       const float* in_ptr4,
                       const float* in_ptr5,
                       float* out_ptr0,
                       float* out_ptr1,
                       float* out_ptr2,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                {
                    float tmp_acc0 = 0;
                    at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
                    for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                    {
                        {
                            if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                            {
                                auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp3 = in_ptr3[static_cast<int64_t>(x0)];
                                auto tmp4 = c10::convert<int64_t>(tmp3);
                                auto tmp5 = tmp4;
                                auto tmp6 = c10::convert<int64_t>(tmp5);
                                TORCH_CHECK((0 <= tmp6) & (tmp6 < 512L), "index out of bounds: 0 <= tmp6 < 512L");
                                auto tmp8 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1 + 128L*tmp4), static_cast<int64_t>(8));
                                auto tmp9 = tmp2 + tmp8;
                                auto tmp10 = tmp1 + tmp9;
                                auto tmp11 = tmp0 + tmp10;
                                auto tmp12 = tmp11 * tmp11;
                                tmp11.store(out_ptr0 + static_cast<int64_t>(x1 + 128L*x0));
                                tmp_acc0_vec = tmp_acc0_vec + tmp12;
                            }
                        }
                    }
                    tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
                    out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
                }
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                        {
                            auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                            auto tmp1 = out_ptr1[static_cast<int64_t>(x0)];
                            auto tmp9 = at::vec::Vectorized<float>::loadu(in_ptr5 + static_cast<int64_t>(x1), static_cast<int64_t>(8));
                            auto tmp2 = static_cast<float>(128.0);
                            auto tmp3 = tmp1 / tmp2;
                            auto tmp4 = static_cast<float>(1e-05);
                            auto tmp5 = float(tmp3 + tmp4);
                            auto tmp6 = 1 / std::sqrt(tmp5);
                            auto tmp7 = at::vec::Vectorized<float>(tmp6);
                            auto tmp8 = tmp0 * tmp7;
                            auto tmp10 = tmp8 * tmp9;
                            tmp10.store(out_ptr2 + static_cast<int64_t>(x1 + 128L*x0));
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


cpp_fused_add_mean_mul_pow_rsqrt_6 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'float*', 'const int64_t'], r'''
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(float* in_out_ptr0,
                       const float* in_ptr0,
                       const float* in_ptr2,
                       float* out_ptr0,
                       const int64_t ks0)
{
    std::atomic<int> inductor_cpu_integer_div_error{0};
    inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
    auto in_ptr1 = in_out_ptr0;
    #pragma omp parallel
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for
            for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(ks0); x0+=static_cast<int64_t>(1L))
            {
                {
                    float tmp_acc0 = 0;
                    at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
                    for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                    {
                        {
                            if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                            {
                                auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                                auto tmp2 = tmp0 + tmp1;
                                auto tmp3 = tmp2 * tmp2;
                                tmp_acc0_vec = tmp_acc0_vec + tmp3;
                            }
                        }
                    }
                    tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
                    out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
                }
                for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(128L); x1+=static_cast<int64_t>(8L))
                {
                    {
                        if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(128L)))
                        {
                            auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                            auto tmp1 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 128L*x0), static_cast<int64_t>(8));
                            auto tmp3 = out_ptr0[static_cast<int64_t>(x0)];
                            auto tmp11 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(8));
                            auto tmp2 = tmp0 + tmp1;
                            auto tmp4 = static_cast<float>(128.0);
                            auto tmp5 = tmp3 / tmp4;
                            auto tmp6 = static_cast<float>(1e-05);
                            auto tmp7 = float(tmp5 + tmp6);
                            auto tmp8 = 1 / std::sqrt(tmp7);
                            auto tmp9 = at::vec::Vectorized<float>(tmp8);
                            auto tmp10 = tmp2 * tmp9;
                            auto tmp12 = tmp10 * tmp11;
                            tmp12.store(in_out_ptr0 + static_cast<int64_t>(x1 + 128L*x0));
                        }
                    }
                }
            }
        }
    }
    inductor_cpu_integer_div_error_flag = nullptr;
    inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
}
''')


async_compile.wait(globals())
del async_compile

class Runner:
    def __init__(self, partitions):
        self.partitions = partitions

    def recursively_apply_fns(self, fns):
        new_callables = []
        for fn, c in zip(fns, self.partitions):
            new_callables.append(fn(c))
        self.partitions = new_callables

    def call(self, args):
        arg0_1, arg1_1, arg2_1, arg3_1, arg4_1, arg5_1, arg6_1, arg7_1, arg8_1, arg9_1, arg10_1, arg11_1, arg12_1, arg13_1, arg14_1, arg15_1, arg16_1, arg17_1, arg18_1, arg19_1, arg20_1 = args
        args.clear()
        s72 = arg0_1
        s80 = s72
        buf0 = empty_strided_cpu((s72, 384), (384, 1), torch.float32)
        buf1 = empty_strided_cpu((s72, 1), (1, s72), torch.float32)
        buf2 = empty_strided_cpu((s72, 128), (128, 1), torch.float32)
        cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_0(arg1_1, arg2_1, arg3_1, buf1, buf2, s72)
        del arg3_1
        # Topologically Sorted Source Nodes: [long, hidden_states, pow_1, variance, add, rsqrt, x_1, x_2, onednn_mm], Original ATen: [aten._to_copy, aten.embedding, aten.pow, aten.mean, aten.add, aten.rsqrt, aten.mul, _C.onednn_mm]
        torch.ops._C.onednn_mm.default(buf0, buf2, None, arg4_1)
        del arg4_1
        buf7 = reinterpret_tensor(buf2, (s72, 4, 32), (128, 32, 1), 0); del buf2  # reuse
        buf5 = reinterpret_tensor(buf7, (s72, 4, 16), (128, 32, 1), 0)  # alias
        buf6 = reinterpret_tensor(buf7, (s72, 4, 16), (128, 32, 1), 16)  # alias
        buf11 = empty_strided_cpu((s72, 4, 32), (128, 32, 1), torch.float32)
        buf9 = reinterpret_tensor(buf11, (s72, 4, 16), (128, 32, 1), 0)  # alias
        buf10 = reinterpret_tensor(buf11, (s72, 4, 16), (128, 32, 1), 16)  # alias
        buf8 = empty_strided_cpu((s72, 128), (128, 1), torch.float32)
        cpp_fused_add_index_select_mul_split_split_with_sizes_sub_unsqueeze_view_1(buf0, arg7_1, arg5_1, buf5, buf6, buf9, buf10, s72)
        del buf10
        del buf5
        del buf6
        del buf9
        # Topologically Sorted Source Nodes: [kv_cache_dummy_dep], Original ATen: [aten.split_with_sizes, aten.view, vllm.unified_kv_cache_update]
        buf12 = torch.ops.vllm.unified_kv_cache_update.default(buf11, reinterpret_tensor(buf0, (s72, 4, 32), (384, 32, 1), 256), arg8_1)
        buf13 = buf12
        assert_alignment(buf13, 16, 'torch.ops.vllm.unified_kv_cache_update.default')
        del buf12
        # Topologically Sorted Source Nodes: [kv_cache_dummy_dep, unified_attention_with_output], Original ATen: [aten.split_with_sizes, aten.view, vllm.unified_attention_with_output]
        torch.ops.vllm.unified_attention_with_output.default(buf7, buf11, reinterpret_tensor(buf0, (s72, 4, 32), (384, 32, 1), 256), reinterpret_tensor(buf8, (s72, 4, 32), (128, 32, 1), 0), arg8_1, None, None, buf13)
        del arg8_1
        del buf0
        del buf13
        buf16 = reinterpret_tensor(buf7, (s72, 128), (128, 1), 0); del buf7  # reuse
        # Topologically Sorted Source Nodes: [unified_attention_with_output, onednn_mm_1], Original ATen: [aten.view]
        torch.ops._C.onednn_mm.default(buf16, buf8, None, arg9_1)
        del arg9_1
        buf19 = empty_strided_cpu((s72, 512), (512, 1), torch.float32)
        buf20 = buf1; del buf1  # reuse
        buf21 = buf8; del buf8  # reuse
        cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_2(buf16, arg1_1, arg2_1, arg10_1, buf20, buf21, s72)
        del arg10_1
        # Topologically Sorted Source Nodes: [long, hidden_states, x_4, pow_2, variance_1, add_4, rsqrt_1, x_5, x_6, onednn_mm_2], Original ATen: [aten._to_copy, aten.embedding, aten.add, aten.pow, aten.mean, aten.rsqrt, aten.mul, _C.onednn_mm]
        torch.ops._C.onednn_mm.default(buf19, buf21, None, arg11_1)
        del arg11_1
        buf24 = buf21; del buf21  # reuse
        buf25 = empty_strided_cpu((s72, 256), (256, 1), torch.float32)
        cpp_fused_mul_onednn_mm_silu_slice_3(buf19, buf25, s72)
        del buf19
        # Topologically Sorted Source Nodes: [silu, x_7, onednn_mm_3], Original ATen: [aten.slice, aten.silu, aten.mul, _C.onednn_mm]
        torch.ops._C.onednn_mm.default(buf24, buf25, None, arg12_1)
        del arg12_1
        del buf25
        buf28 = empty_strided_cpu((s72, 384), (384, 1), torch.float32)
        buf29 = buf20; del buf20  # reuse
        buf30 = reinterpret_tensor(buf11, (s72, 128), (128, 1), 0); del buf11  # reuse
        cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_4(buf24, buf16, arg1_1, arg2_1, arg13_1, buf29, buf30, s72)
        del arg13_1
        # Topologically Sorted Source Nodes: [long, hidden_states, x_4, x_9, pow_3, variance_2, add_6, rsqrt_2, x_10, x_11, onednn_mm_4], Original ATen: [aten._to_copy, aten.embedding, aten.add, aten.pow, aten.mean, aten.rsqrt, aten.mul, _C.onednn_mm]
        torch.ops._C.onednn_mm.default(buf28, buf30, None, arg14_1)
        del arg14_1
        buf35 = reinterpret_tensor(buf30, (s72, 4, 32), (128, 32, 1), 0); del buf30  # reuse
        buf33 = reinterpret_tensor(buf35, (s72, 4, 16), (128, 32, 1), 0)  # alias
        buf34 = reinterpret_tensor(buf35, (s72, 4, 16), (128, 32, 1), 16)  # alias
        buf39 = empty_strided_cpu((s72, 4, 32), (128, 32, 1), torch.float32)
        buf37 = reinterpret_tensor(buf39, (s72, 4, 16), (128, 32, 1), 0)  # alias
        buf38 = reinterpret_tensor(buf39, (s72, 4, 16), (128, 32, 1), 16)  # alias
        buf36 = empty_strided_cpu((s72, 128), (128, 1), torch.float32)
        cpp_fused_add_index_select_mul_split_split_with_sizes_sub_unsqueeze_view_1(buf28, arg7_1, arg5_1, buf33, buf34, buf37, buf38, s72)
        del arg5_1
        del arg7_1
        del buf33
        del buf34
        del buf37
        del buf38
        # Topologically Sorted Source Nodes: [kv_cache_dummy_dep_1], Original ATen: [aten.split_with_sizes, aten.view, vllm.unified_kv_cache_update]
        buf40 = torch.ops.vllm.unified_kv_cache_update.default(buf39, reinterpret_tensor(buf28, (s72, 4, 32), (384, 32, 1), 256), arg15_1)
        buf41 = buf40
        assert_alignment(buf41, 16, 'torch.ops.vllm.unified_kv_cache_update.default')
        del buf40
        # Topologically Sorted Source Nodes: [kv_cache_dummy_dep_1, unified_attention_with_output_1], Original ATen: [aten.split_with_sizes, aten.view, vllm.unified_attention_with_output]
        torch.ops.vllm.unified_attention_with_output.default(buf35, buf39, reinterpret_tensor(buf28, (s72, 4, 32), (384, 32, 1), 256), reinterpret_tensor(buf36, (s72, 4, 32), (128, 32, 1), 0), arg15_1, None, None, buf41)
        del arg15_1
        del buf28
        del buf41
        buf44 = reinterpret_tensor(buf39, (s72, 128), (128, 1), 0); del buf39  # reuse
        # Topologically Sorted Source Nodes: [unified_attention_with_output_1, onednn_mm_5], Original ATen: [aten.view]
        torch.ops._C.onednn_mm.default(buf44, buf36, None, arg16_1)
        del arg16_1
        buf47 = empty_strided_cpu((s72, 512), (512, 1), torch.float32)
        buf48 = buf36; del buf36  # reuse
        buf49 = buf29; del buf29  # reuse
        buf50 = reinterpret_tensor(buf35, (s72, 128), (128, 1), 0); del buf35  # reuse
        cpp_fused__to_copy_add_embedding_mean_mul_onednn_mm_pow_rsqrt_5(buf44, buf24, buf16, arg1_1, arg2_1, arg17_1, buf48, buf49, buf50, s72)
        del arg17_1
        del arg1_1
        del arg2_1
        del buf16
        del buf24
        del buf44
        # Topologically Sorted Source Nodes: [pow_4, variance_3, add_10, rsqrt_3, x_14, x_15, onednn_mm_6], Original ATen: [aten.pow, aten.mean, aten.add, aten.rsqrt, aten.mul, _C.onednn_mm]
        torch.ops._C.onednn_mm.default(buf47, buf50, None, arg18_1)
        del arg18_1
        buf53 = buf50; del buf50  # reuse
        buf54 = empty_strided_cpu((s72, 256), (256, 1), torch.float32)
        cpp_fused_mul_onednn_mm_silu_slice_3(buf47, buf54, s72)
        del buf47
        # Topologically Sorted Source Nodes: [silu_1, x_16, onednn_mm_7], Original ATen: [aten.slice, aten.silu, aten.mul, _C.onednn_mm]
        torch.ops._C.onednn_mm.default(buf53, buf54, None, arg19_1)
        del arg19_1
        del buf54
        buf57 = buf49; del buf49  # reuse
        buf58 = buf48; del buf48  # reuse
        cpp_fused_add_mean_mul_pow_rsqrt_6(buf58, buf53, arg20_1, buf57, s72)
        del arg20_1
        return (buf58, )

runner = Runner(partitions=[])
call = runner.call
recursively_apply_fns = runner.recursively_apply_fns


def get_args():
    from torch._dynamo.testing import rand_strided
    arg0_1 = 256
    arg1_1 = rand_strided((256, ), (1, ), device='cpu', dtype=torch.int32)
    arg2_1 = rand_strided((512, 128), (128, 1), device='cpu', dtype=torch.float32)
    arg3_1 = rand_strided((128, ), (1, ), device='cpu', dtype=torch.float32)
    arg4_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg5_1 = rand_strided((256, 32), (32, 1), device='cpu', dtype=torch.float32)
    arg6_1 = 256
    arg7_1 = rand_strided((256, ), (1, ), device='cpu', dtype=torch.int64)
    arg8_1 = None
    arg9_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg10_1 = rand_strided((128, ), (1, ), device='cpu', dtype=torch.float32)
    arg11_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg12_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg13_1 = rand_strided((128, ), (1, ), device='cpu', dtype=torch.float32)
    arg14_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg15_1 = None
    arg16_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg17_1 = rand_strided((128, ), (1, ), device='cpu', dtype=torch.float32)
    arg18_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg19_1 = rand_strided((), (), device='cpu', dtype=torch.int64)
    arg20_1 = rand_strided((128, ), (1, ), device='cpu', dtype=torch.float32)
    return [arg0_1, arg1_1, arg2_1, arg3_1, arg4_1, arg5_1, arg6_1, arg7_1, arg8_1, arg9_1, arg10_1, arg11_1, arg12_1, arg13_1, arg14_1, arg15_1, arg16_1, arg17_1, arg18_1, arg19_1, arg20_1]


def benchmark_compiled_module(args, times=10, repeat=10):
    from torch._inductor.utils import print_performance
    fn = lambda: call(list(args))
    return print_performance(fn, times=times, repeat=repeat, device='cpu')


if __name__ == "__main__":
    from torch._inductor.wrapper_benchmark import compiled_module_main
    args = get_args()
    compiled_module_main('None', lambda times, repeat: benchmark_compiled_module(args, times=times, repeat=repeat))
