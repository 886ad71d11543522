package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * First job of a script that no process has loaded before, in two situations: after a pause in which nothing runs, and
 * in use, after the same time in which jobs of another script ran one after the other. After a pause, processors sleep and
 * caches are cold, which costs more than the start of the script.
 */
public final class Cold implements Workload {
    private static final int ROUNDS = 10;
    private static final int WARM_UPS = 2;

    /** Time between two scripts, so that none is measured beside the processes that the worker prepares after another. */
    private static final Duration PAUSE = Duration.ofMillis(300);

    private static final double NANOS_PER_MILLI = 1e6;

    private static final String OTHER_SCRIPT = "bench/other.py";

    /** A language, with a script that adds a number to its input. */
    private enum Language {
        PYTHON(".py", "def main(n: int):\n    return n + %d\n"),
        DENO(".ts", "// millrace: check=off\nexport function main(n: number): number {\n  return n + %d;\n}\n"),
        BUN(".bun.ts", "export function main(n: number): number {\n  return n + %d;\n}\n");

        private final String suffix;
        private final String script;

        Language(String suffix, String script) {
            this.suffix = suffix;
            this.script = script;
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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
            Scripts scripts = new Scripts(installation);
            int rounds = bench.rounds(ROUNDS);
            bench.say(name() + ": " + rounds + " scripts of each language after a pause, and as many in use");
            List<Times> all = Stream.of(Language.values())
                    .map(language -> new Times(language, rounds))
                    .toList();
            for (int round = -WARM_UPS; round < rounds; round++) {
                for (Times times : all) {
                    double afterPause = scripts.afterPause(times.language);
                    double inUse = scripts.inUse(times.language);
                    if (round >= 0) {
                        times.afterPause[round] = afterPause;
                        times.inUse[round] = inUse;
                    }
                }
            }
            Records.checkJobs(installation, scripts.jobs);
            Figures figures = new Figures(name()).add("scripts_of_each_language", (long) rounds);
            all.forEach(times -> add(figures, times.language.key() + "_submit_to_result", times.afterPause));
            all.forEach(times -> add(figures, "in_use_" + times.language.key() + "_submit_to_result", times.inUse));
            return bench.compareTime(
                    figures, 1, Samples.of(all.getFirst().afterPause).median());
        }
    }

    /** Milliseconds of the first jobs of a language's scripts. */
    private static final class Times {
        private final Language language;
        private final double[] afterPause;
        private final double[] inUse;

        Times(Language language, int rounds) {
            this.language = language;
            this.afterPause = new double[rounds];
            this.inUse = new double[rounds];
        }
    }

    private static void add(Figures figures, String name, double[] millis) {
        figures.add(name + "_median_ms", Samples.of(millis).median())
                .add(name + "_best_ms", Samples.of(millis).lowest());
    }

    /** Deploys scripts, each of which is new, and runs their first jobs. */
    private static final class Scripts {
        private final Installation installation;
        private int deployed;
        private long jobs;

        Scripts(Installation installation) throws Exception {
            this.installation = installation;
            installation.deployScript(OTHER_SCRIPT, Language.PYTHON.script.formatted(0));
        }

        /** Milliseconds of the first job of a script after a pause. */
        double afterPause(Language language) throws Exception {
            String path = deploy(language);
            Thread.sleep(PAUSE.toMillis());
            return firstJob(path);
        }

        /** Milliseconds of the first job of a script while the installation is in use. */
        double inUse(Language language) throws Exception {
            String path = deploy(language);
            long start = System.nanoTime();
            while (System.nanoTime() - start < PAUSE.toNanos()) {
                run(OTHER_SCRIPT, 0);
            }
            return firstJob(path);
        }

        private String deploy(Language language) throws Exception {
            deployed++;
            String path = "bench/cold" + deployed + language.suffix;
            installation.deployScript(path, language.script.formatted(deployed));
            return path;
        }

        private double firstJob(String path) throws Exception {
            long start = System.nanoTime();
            run(path, deployed);
            return (System.nanoTime() - start) / NANOS_PER_MILLI;
        }

        private void run(String path, int added) throws Exception {
            Installation.end(installation.start(Specs.script(path, "{\"n\":1}")))
                    .check(Integer.toString(1 + added));
            jobs++;
        }
    }
}
