package dev.millrace.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.Browser;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.bench.system.EndedRun;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Pages of the console in a headless Chromium, over an installation with much data: ten million runs, a run of 10,000
 * steps, a loop of 100,000 iterations, a graph of 1,000 nodes and a log of 1 GiB. Each figure with a budget is printed
 * beside it.
 */
public final class ConsolePages implements Workload {
    private static final int RUNS = 10_000_000;
    private static final int ROUNDS = 3;
    private static final int WIDTH = 10;
    private static final String STEPS_FLOW = "bench/steps";
    private static final String GRAPH_FLOW = "bench/graph";
    private static final String LOOP_FLOW = "bench/loop";
    private static final String LOG_SCRIPT = "bench/log.py";
    private static final int LOOP_PARALLELISM = 100;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String description() {
        return "pages of the console in Chromium over 10,000,000 runs, 10,000 steps, 100,000 iterations, 1 GiB of log";
    }

    @Override
    public Duration limit(Bench bench) {
        return Duration.ofMinutes(60);
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        Browser browser = Browser.install();
        ConsoleAmounts amounts = ConsoleAmounts.of(bench.size(RUNS));
        try (Installation installation =
                bench.install(name(), ClusterPlan.fast().withGateway())) {
            Map<String, Object> task = new LinkedHashMap<>();
            task.put("gateway", installation.cluster().gatewayUrl().toString());
            task.put("rounds", bench.rounds(ROUNDS));
            bench.say(name() + ": a run of " + amounts.steps() + " steps, a graph of " + amounts.nodes() + " nodes");
            task.put("steps", shown(layers(installation, STEPS_FLOW, amounts.steps()), amounts.steps()));
            task.put("graph", shown(layers(installation, GRAPH_FLOW, amounts.nodes()), amounts.nodes()));
            bench.say(name() + ": a loop of " + amounts.iterations() + " iterations");
            task.put("loop", shown(loop(installation, amounts.iterations()), amounts.iterations()));
            bench.say(name() + ": a log of " + amounts.chunks() + " chunks of 16 KiB");
            task.put("log", log(installation, amounts.chunks()));
            bench.say(name() + ": " + amounts.runs() + " runs");
            task.put("lists", ConsoleRuns.fill(installation.database(), amounts.runs()));
            DatabaseServer.execute(installation.database(), "vacuum analyze job_history, job_log");
            bench.say(name() + ": opening pages");
            JsonNode seen = browser.run("budgets.mjs", JSON.writeValueAsString(task));
            return figures(bench, amounts, seen);
        }
    }

    private static Figures figures(Bench bench, ConsoleAmounts amounts, JsonNode seen) {
        Figures figures = new Figures("console")
                .add("runs", (long) amounts.runs())
                .add("steps", (long) amounts.steps())
                .add("iterations", (long) amounts.iterations())
                .add("nodes", (long) amounts.nodes())
                .add("log_chunks_of_16_kib", (long) amounts.chunks());
        seen.properties().forEach(figure -> {
            if (figure.getValue().isNumber()) {
                figures.add(figure.getKey(), figure.getValue().asDouble());
            } else {
                figures.note(figure.getKey(), figure.getValue().asText());
            }
        });
        ConsoleBudget.table(figures).lines().forEach(bench::say);
        return figures.add("budgets", (long) ConsoleBudget.ALL.size()).add("over_budget", ConsoleBudget.over(figures));
    }

    private static Map<String, Object> shown(String run, int number) {
        return Map.of("run", run, "number", number);
    }

    /** Runs a graph in layers, whose last step waits for all others. */
    private static String layers(Installation installation, String flow, int steps) throws Exception {
        int layers = Math.max(1, (steps - 1) / WIDTH);
        installation.deploy(FlowFiles.layers(flow, layers, WIDTH));
        EndedRun run = installation.call(flow, "{}");
        run.check(Integer.toString(layers));
        return run.id();
    }

    private static String loop(Installation installation, int iterations) throws Exception {
        ParallelLoop loop = new ParallelLoop(LOOP_FLOW, iterations, LOOP_PARALLELISM);
        loop.deploy(installation);
        return loop.call(installation).id();
    }

    /** Gives a run the log of a job that has printed much; the database writes it, which takes seconds. */
    private static Map<String, Object> log(Installation installation, int chunks) throws Exception {
        installation.deployScript(LOG_SCRIPT, "def main():\n    print('begin')\n    return 1\n");
        EndedRun run = Installation.end(installation.start(Specs.script(LOG_SCRIPT, "{}")));
        run.check("1");
        ConsoleLog log = new ConsoleLog(run.id(), chunks);
        log.write(installation.database());
        return Map.of("run", run.id(), "first", "begin", "last", log.last(), "wanted", log.wanted());
    }
}
