package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.PackageIndex;
import java.nio.file.Files;
import java.nio.file.Path;

/** First job of a version of a script whose packages are installed already. */
public final class ColdDeps implements Workload {
    private static final int ROUNDS = 10;
    private static final int WARM_UPS = 2;
    private static final int PACKAGES = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String name() {
        return "cold-deps";
    }

    @Override
    public String description() {
        return "first job of a Python script with 5 packages that are installed, submit to result; 10 scripts";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        Path folder = Files.createTempDirectory("millrace-bench-packages-");
        PackageIndex index = new PackageIndex(folder);
        for (int i = 0; i < PACKAGES; i++) {
            index.publish("millracebench" + i, "1.0", "VALUE = " + i + "\n");
        }
        ClusterPlan plan = ClusterPlan.fast().with(PackageIndex.SETTING, index.settings());
        try (Installation installation = bench.install(name(), plan)) {
            int rounds = bench.rounds(ROUNDS);
            bench.say(name() + ": " + rounds + " scripts with " + PACKAGES + " packages");
            for (int i = 0; i < WARM_UPS; i++) {
                choose(installation, i);
                firstJob(installation, i);
            }
            var chosen = new double[rounds];
            var first = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                chosen[i] = choose(installation, WARM_UPS + i);
                first[i] = firstJob(installation, WARM_UPS + i);
            }
            // Each script has a run that chooses its packages, and one that runs it.
            Records.checkJobs(installation, 2L * (WARM_UPS + rounds));
            Figures figures = new Figures(name())
                    .add("scripts", (long) rounds)
                    .add("python_submit_to_result_median_ms", Samples.of(first).median())
                    .add("python_submit_to_result_best_ms", Samples.of(first).lowest())
                    .add("deploy_to_chosen_median_ms", Samples.of(chosen).median());
            return bench.compareTime(figures, 1, Samples.of(first).median());
        }
    }

    /** Milliseconds from the deployment until the packages are chosen. */
    private static double choose(Installation installation, int number) {
        var script = new StringBuilder("# /// script\n# dependencies = [");
        for (int i = 0; i < PACKAGES; i++) {
            script.append("'millracebench").append(i).append("', ");
        }
        script.append("]\n# ///\nimport millracebench4\ndef main(n: int):\n    return n + millracebench4.VALUE + ")
                .append(number)
                .append('\n');
        long start = System.nanoTime();
        installation.deployScriptWithPackages(path(number), script.toString());
        return (System.nanoTime() - start) / NANOS_PER_MILLI;
    }

    private static double firstJob(Installation installation, int number) throws Exception {
        long start = System.nanoTime();
        var run = Installation.end(installation.start(Specs.script(path(number), "{\"n\":1}")));
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        run.check(Integer.toString(1 + PACKAGES - 1 + number));
        return millis;
    }

    private static String path(int number) {
        return "bench/deps%d.py".formatted(number);
    }
}
