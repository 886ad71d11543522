package dev.millrace.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.Step;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Paint;
import dev.millrace.cli.output.StepTree;
import dev.millrace.cli.output.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Report at the end of the demo: the result, and how long each step waited and ran. */
record DemoReport(Run run, StepTree tree, Paint paint) {
    List<String> lines() {
        List<String> lines = new ArrayList<>(words(run.output()));
        lines.add("");
        lines.addAll(times().lines(paint));
        return lines;
    }

    private List<String> words(JsonNode result) {
        Table table = new Table("WORD", "COUNT>");
        result.path("top")
                .forEach(entry -> table.row(
                        entry.path("word").asText(), entry.path("count").asText()));
        List<String> lines = new ArrayList<>();
        lines.add(result.path("words").asText() + " words, "
                + result.path("different").asText() + " different ones. The most frequent:");
        lines.add("");
        lines.addAll(table.lines(paint));
        return lines;
    }

    private Table times() {
        List<Step> steps = tree.steps().stream().filter(Step::runsOnWorker).toList();
        Table table = new Table("STEP", "WAITED>", "RAN>");
        steps.forEach(step -> table.row(step.key(), text(step.waitDuration()), text(step.runDuration())));
        table.row("sum of " + steps.size(), text(sum(steps, Step::waitDuration)), text(sum(steps, Step::runDuration)));
        return table;
    }

    private static Optional<Duration> sum(List<Step> steps, Function<Step, Optional<Duration>> time) {
        return steps.stream().flatMap(step -> time.apply(step).stream()).reduce(Duration::plus);
    }

    private static String text(Optional<Duration> duration) {
        return duration.map(Durations::text).orElse("");
    }
}
