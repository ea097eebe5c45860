#!/bin/sh
# A run on all machines of one Slurm job; what stands behind the script's name are arguments of `nl2fix run`:
#
#   sbatch --nodes 16 deploy/slurm.sh --suite nl2fix --model replay:answers.jsonl --out runs/study
#
# A model that computes its answers gets a process for each GPU, e.g. of 2 machines with 8:
#
#   sbatch --nodes 2 --ntasks-per-node 8 --gpus-per-task 1 deploy/slurm.sh --model hf:/shared/model …
#
# The same command goes on with a job that was stopped. The cache lies in a folder that all machines see
# (NL2FIX_CACHE); what nodes keep lies on their own disks (TMPDIR). Needs nl2fix[cluster], bubblewrap and a
# JDK on each machine, or a container with them (NL2FIX_WITH, e.g. "apptainer exec --nv nl2fix-cluster.sif").
#SBATCH --job-name nl2fix
#SBATCH --ntasks-per-node 1
#SBATCH --exclusive
#SBATCH --no-kill
#SBATCH --time 12:00:00
set -eu
: "${NL2FIX_CACHE:=$PWD/cache}" "${NL2FIX_WITH:=}" "${DASK_CONFIG:=$PWD/deploy/dask.yaml}"
export NL2FIX_CACHE NL2FIX_WITH DASK_CONFIG
mkdir -p "$NL2FIX_CACHE"
scheduler="$NL2FIX_CACHE/scheduler-${SLURM_JOB_ID}.json"
trap 'rm -f "$scheduler"; trap "" TERM; kill 0' EXIT

$NL2FIX_WITH dask scheduler --port 0 --scheduler-file "$scheduler" &
until [ -s "$scheduler" ]; do sleep 1; done
# A process for each task, with a thread for each of its cores; one core of the first is left to scheduler and
# writer.
srun --kill-on-bad-exit=0 --no-kill sh -c \
    'cores=$((SLURM_CPUS_ON_NODE / SLURM_NTASKS_PER_NODE))
     exec $NL2FIX_WITH dask worker --scheduler-file "$0" --nworkers 1 \
     --nthreads "$((cores > 1 ? cores - (SLURM_PROCID == 0) : 1))" \
     --name "$SLURMD_NODENAME-$SLURM_LOCALID" --local-directory "${TMPDIR:-/tmp}"' "$scheduler" &
$NL2FIX_WITH nl2fix run --cluster "$scheduler" "$@"
