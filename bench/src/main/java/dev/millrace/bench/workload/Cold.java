package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;
import java.util.Locale;

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
            for (int i = 0; i < WARM_UPS; i++) {
                for (Language language : Language.values()) {
                    scripts.afterPause(language);
                    scripts.inUse(language);
                }
            }
            var paused = new double[Language.values().length][rounds];
            var used = new double[Language.values().length][rounds];
            for (int i = 0; i < rounds; i++) {
                for (Language language : Language.values()) {
                    paused[language.ordinal()][i] = scripts.afterPause(language);
                    used[language.ordinal()][i] = scripts.inUse(language);
                }
            }
            Records.checkJobs(installation, scripts.jobs);
            Figures figures = new Figures(name()).add("scripts_of_each_language", (long) rounds);
            for (Language language : Language.values()) {
                add(figures, language.key() + "_submit_to_result", paused[language.ordinal()]);
            }
            for (Language language : Language.values()) {
                add(figures, "in_use_" + language.key() + "_submit_to_result", used[language.ordinal()]);
            }
            return bench.compareTime(
                    figures, 1, Samples.of(paused[Language.PYTHON.ordinal()]).median());
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
