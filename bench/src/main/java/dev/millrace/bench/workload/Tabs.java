package dev.millrace.bench.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.Browser;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.bench.system.Usage;
import dev.millrace.harness.ClusterPlan;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Twenty tabs of the console that somebody has left open, four of them with runs that wait: what they cost the scheduler. */
public final class Tabs implements Workload {
    private static final int TABS = 20;
    private static final int TABS_A_KIND = 4;
    private static final int SECONDS = 30;
    private static final Duration SETTLE = Duration.ofSeconds(15);
    /** Time after which tabs count as left open: code is compiled, and followers of quiet runs look seldom. */
    private static final Duration LEFT_OPEN = Duration.ofSeconds(75);

    private static final String FLOW = "bench/waiting";
    private static final double PERCENT = 100;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "tabs";
    }

    @Override
    public String description() {
        return "20 tabs of the console in Chromium on an idle installation: CPU of the scheduler beside that without tabs";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        Browser browser = Browser.install();
        try (Installation installation =
                bench.install(name(), ClusterPlan.fast().withGateway())) {
            Duration duration = bench.duration(SECONDS);
            installation.deploy(FlowFiles.signalWait(FLOW));
            List<String> runs = installation.submit(Collections.nCopies(TABS_A_KIND, Specs.flow(FLOW, "{}")));
            bench.say(name() + ": " + duration.toSeconds() + " s without tabs");
            Map<String, Double> without = cost(installation, SETTLE, duration);
            bench.say(name() + ": opening " + TABS + " tabs");
            try (Browser.OpenPages _ = browser.open("tabs.mjs", task(installation, runs))) {
                Map<String, Double> with = cost(installation, LEFT_OPEN, duration);
                Figures figures = new Figures(name()).add("tabs", (long) TABS);
                for (String process : List.of("scheduler", "gateway", "postgres")) {
                    double idle = without.getOrDefault(process, 0.0);
                    double open = with.getOrDefault(process, 0.0);
                    figures.add(process + "_percent_without", idle)
                            .add(process + "_percent_with", open)
                            .add(process + "_percent_of_tabs", open - idle);
                }
                return figures;
            }
        }
    }

    private static String task(Installation installation, List<String> runs) throws JsonProcessingException {
        List<String> kinds = Stream.concat(
                        Stream.of("/", "/runs", "/workers", "/queues")
                                .flatMap(path -> Collections.nCopies(TABS_A_KIND, path).stream()),
                        runs.stream().map(run -> "/runs/" + run))
                .toList();
        return JSON.writeValueAsString(
                Map.of("gateway", installation.cluster().gatewayUrl().toString(), "paths", kinds));
    }

    /** Percent of a core by process. */
    private static Map<String, Double> cost(Installation installation, Duration settle, Duration duration)
            throws Exception {
        Thread.sleep(settle);
        Usage before = installation.usage();
        Thread.sleep(duration);
        Map<String, Double> seconds = installation.usage().cpuSecondsSince(before);
        seconds.replaceAll((_, used) -> used / duration.toSeconds() * PERCENT);
        return seconds;
    }
}
