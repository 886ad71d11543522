package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;

/**
 * Warm calls of a script that imports numpy, pandas and lxml, beside those of one that imports nothing, in turns. Takes
 * the packages from the index that uv is configured to use.
 */
public final class HeavyImport implements Workload {
    private static final int ROUNDS = 100;
    private static final int WARM_UPS = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    private static final String EMPTY_PATH = "bench/empty.py";
    private static final String HEAVY_PATH = "bench/heavy.py";
    private static final String EMPTY = "def main(n: int):\n    return n\n";
    private static final String HEAVY = """
            # /// script
            # dependencies = ["numpy", "pandas", "lxml"]
            # ///
            import numpy
            import pandas
            from lxml import etree


            def main(n: int):
                column = pandas.DataFrame({"n": numpy.array([n])})["n"]
                return int(column.sum()) + int(etree.fromstring("<zero>0</zero>").text)
            """;

    @Override
    public String name() {
        return "heavy-import";
    }

    @Override
    public String description() {
        return "warm calls of a script that imports numpy, pandas and lxml, and of an empty one, in turns; needs an index";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            int rounds = bench.rounds(ROUNDS);
            installation.deployScript(EMPTY_PATH, EMPTY);
            bench.say(name() + ": choosing and installing packages");
            long start = System.nanoTime();
            installation.deployScriptWithPackages(HEAVY_PATH, HEAVY);
            double chosen = (System.nanoTime() - start) / NANOS_PER_MILLI;
            double first = call(installation, HEAVY_PATH, 1);
            for (int i = 0; i < WARM_UPS; i++) {
                call(installation, EMPTY_PATH, i);
                call(installation, HEAVY_PATH, i);
            }
            bench.say(name() + ": " + rounds + " calls of each script");
            var empty = new double[rounds];
            var heavy = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                empty[i] = call(installation, EMPTY_PATH, i);
                heavy[i] = call(installation, HEAVY_PATH, i);
            }
            Records.checkJobs(installation, 2L + 2L * (WARM_UPS + rounds));
            return new Figures(name())
                    .add("calls_of_each_script", (long) rounds)
                    .add("deploy_to_chosen_ms", chosen)
                    .add("first_call_ms", first)
                    .add("heavy_submit_to_result_median_ms", Samples.of(heavy).median())
                    .add("empty_submit_to_result_median_ms", Samples.of(empty).median())
                    .add(
                            "heavy_over_empty_ms",
                            Samples.of(heavy).median() - Samples.of(empty).median());
        }
    }

    private static double call(Installation installation, String path, int number) throws Exception {
        long start = System.nanoTime();
        var run = Installation.end(installation.start(Specs.script(path, "{\"n\":" + number + "}")));
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        run.check(Integer.toString(number));
        return millis;
    }
}
