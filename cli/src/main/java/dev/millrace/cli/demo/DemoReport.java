package dev.millrace.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Paint;
import dev.millrace.cli.output.StepTree;
import dev.millrace.cli.output.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        Table table = new Table("STEP", "WAITED>", "RAN>", "ITERATIONS>");
        tree.steps().stream()
                .filter(step -> !step.key().isEmpty() && !step.key().contains("["))
                .forEach(step -> table.row(
                        step.key(),
                        step.runsOnWorker() ? text(step.waitDuration()) : "",
                        text(step.runDuration()),
                        step.iterations()
                                .map(counts -> String.valueOf(counts.done()))
                                .orElse("")));
        table.row("the whole run", text(run.waitDuration()), text(run.duration()), "");
        return table;
    }

    private static String text(Optional<Duration> duration) {
        return duration.map(Durations::text).orElse("");
    }
}
