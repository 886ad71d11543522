package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.JvmProbe;
import dev.millrace.bench.system.Memory;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ProcessTable;
import java.util.List;
import java.util.function.ToLongFunction;

/** Memory that the workload {@code steps} needs, and that of a warm Python process compared with an idle Python. */
public final class MemoryUse implements Workload {
    private static final int ROUNDS = 3;
    private static final double MIB = 1 << 20;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "memory of the scheduler, the worker and warm Python processes during steps";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            int rounds = bench.rounds(ROUNDS);
            ManyRuns.rounds(bench, installation, rounds, ManyRuns.RUNS);
            Records.checkHistory(installation, ManyRuns.WARM_UP_RUNS + (long) rounds * ManyRuns.RUNS, Seq40.STEPS);
            JvmProbe scheduler = installation.schedulerProbe();
            List<Long> python =
                    ProcessTable.userProcessesOf(installation.cluster().worker(0));
            Check.that("there are warm Python processes", !python.isEmpty());
            Process bare = bareLike(python.getFirst());
            try {
                double warmMib = median(python, Memory::residentBytes);
                double bareMib = Memory.residentBytes(bare.pid()) / MIB;
                return new Figures(name())
                        .add("scheduler_heap_peak_mib", scheduler.heapPeak() / MIB)
                        .add("scheduler_heap_after_full_collection_mib", scheduler.heapAfterFullCollection() / MIB)
                        .add(
                                "scheduler_resident_peak_mib",
                                residentPeak(installation.cluster().scheduler(0).pid()))
                        .add(
                                "worker_resident_peak_mib",
                                residentPeak(installation.cluster().worker(0).pid()))
                        .add("python_processes", (long) python.size())
                        .add("python_resident_mib", warmMib)
                        .add("python_proportional_mib", median(python, Memory::proportionalBytes))
                        .add("python_bare_resident_mib", bareMib)
                        .add("python_over_bare_mib", warmMib - bareMib);
            } finally {
                bare.destroy();
            }
        }
    }

    private static double residentPeak(long pid) {
        return Memory.residentPeakBytes(pid) / MIB;
    }

    private static double median(List<Long> pids, ToLongFunction<Long> bytes) {
        return Samples.of(pids.stream()
                        .mapToDouble(pid -> bytes.applyAsLong(pid) / MIB)
                        .toArray())
                .median();
    }

    /** Starts the same interpreter, which waits for input forever; returns when it is ready. */
    private static Process bareLike(long pid) throws Exception {
        String interpreter = ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .orElseThrow();
        Process bare = new ProcessBuilder(interpreter, "-c", "import sys; print('ready', flush=True); sys.stdin.read()")
                .start();
        Check.that("a bare Python starts", bare.inputReader().readLine() != null);
        return bare;
    }
}
