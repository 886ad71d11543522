package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;

/** First job of a script that no process has loaded before. */
public final class Cold implements Workload {
    private static final int ROUNDS = 10;
    private static final int WARM_UPS = 2;

    /** Time between two scripts, so that none is measured beside the processes that the worker prepares after another. */
    private static final Duration PAUSE = Duration.ofMillis(300);

    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public String description() {
        return "first job of a Python, of a Deno and of a Bun script never seen before, submit to result; 10 scripts each";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            int rounds = bench.rounds(ROUNDS);
            bench.say(name() + ": " + rounds + " scripts of each language");
            for (int i = 0; i < WARM_UPS; i++) {
                python(installation, i);
                deno(installation, i);
                bun(installation, i);
            }
            var python = new double[rounds];
            var deno = new double[rounds];
            var bun = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                python[i] = python(installation, WARM_UPS + i);
                deno[i] = deno(installation, WARM_UPS + i);
                bun[i] = bun(installation, WARM_UPS + i);
            }
            Records.checkJobs(installation, 3L * (WARM_UPS + rounds));
            Figures figures = new Figures(name())
                    .add("scripts_of_each_language", (long) rounds)
                    .add("python_submit_to_result_median_ms", Samples.of(python).median())
                    .add("python_submit_to_result_best_ms", Samples.of(python).lowest())
                    .add("deno_submit_to_result_median_ms", Samples.of(deno).median())
                    .add("deno_submit_to_result_best_ms", Samples.of(deno).lowest())
                    .add("bun_submit_to_result_median_ms", Samples.of(bun).median())
                    .add("bun_submit_to_result_best_ms", Samples.of(bun).lowest());
            return bench.compareTime(figures, 1, Samples.of(python).median());
        }
    }

    private static double python(Installation installation, int number) throws Exception {
        return firstJob(
                installation, "bench/cold%d.py".formatted(number), "def main(n: int):\n    return n + %d\n", number);
    }

    private static double deno(Installation installation, int number) throws Exception {
        return firstJob(
                installation,
                "bench/cold%d.ts".formatted(number),
                "// millrace: check=off\nexport function main(n: number): number {\n  return n + %d;\n}\n",
                number);
    }

    private static double bun(Installation installation, int number) throws Exception {
        return firstJob(
                installation,
                "bench/cold%d.bun.ts".formatted(number),
                "export function main(n: number): number {\n  return n + %d;\n}\n",
                number);
    }

    private static double firstJob(Installation installation, String path, String script, int number) throws Exception {
        installation.deployScript(path, script.formatted(number));
        Thread.sleep(PAUSE.toMillis());
        long start = System.nanoTime();
        var run = Installation.end(installation.start(Specs.script(path, "{\"n\":1}")));
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        run.check(Integer.toString(1 + number));
        return millis;
    }
}
