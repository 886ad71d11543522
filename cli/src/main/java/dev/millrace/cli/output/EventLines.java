package dev.millrace.cli.output;

import dev.millrace.cli.client.LogChunk;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.State;
import dev.millrace.cli.client.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** View that shows a run by appending lines: one for each change of state, one for each line of log. */
final class EventLines implements RunView {
    private static final int NAME_WIDTH = 14;

    private final Terminal terminal;
    private final Paint paint;
    private final StepTree tree = new StepTree();
    private final LogLines logs = new LogLines();
    private final Map<String, String> lastLines = new HashMap<>();
    private Optional<Run> lastRun = Optional.empty();

    EventLines(Terminal terminal) {
        this.terminal = terminal;
        this.paint = terminal.paint();
    }

    @Override
    public void run(Run run) {
        if (run.state().isFinal()) {
            logs.rest().forEach(this::print);
        }
        Optional<State> before = lastRun.map(Run::state);
        lastRun = Optional.of(run);
        if (!before.equals(Optional.of(run.state()))) {
            String time = RunTime.text(run);
            print(
                    run.state(),
                    run.name(),
                    "run " + run.id() + " " + run.state().word() + (time.isEmpty() ? "" : " in " + time));
        }
    }

    @Override
    public void step(Step step) {
        tree.put(step);
        String line = describe(step);
        if (!step.key().isEmpty() && !line.equals(lastLines.put(step.key(), line))) {
            print(step.state(), tree.shown(step.key()), line);
        }
    }

    @Override
    public void log(LogChunk chunk) {
        logs.add(chunk).forEach(this::print);
    }

    @Override
    public StepTree tree() {
        return tree;
    }

    @Override
    public void close() {
        logs.rest().forEach(this::print);
        terminal.out().flush();
    }

    private String describe(Step step) {
        StringBuilder text = new StringBuilder(step.state().word());
        if (lastRun.filter(run -> run.reuses(step)).isPresent()) {
            return text.append(", reused").toString();
        }
        if (step.state() == State.RUNNING && !step.worker().isEmpty()) {
            text.append(" on ").append(step.worker());
        }
        if (step.attempt() > 1) {
            text.append(", attempt ").append(step.attempt());
        }
        if (step.state().isFinal() && step.runsOnWorker()) {
            step.waitDuration().ifPresent(time -> text.append(", waited ").append(Durations.text(time)));
            step.runDuration().ifPresent(time -> text.append(", ran ").append(Durations.text(time)));
        }
        if (step.state().isFinal()) {
            step.iterations().ifPresent(counts -> text.append(", ").append(counts.text()));
        }
        step.error()
                .ifPresent(error ->
                        text.append(", ").append(error.name()).append(": ").append(error.message()));
        return text.toString();
    }

    private void print(State state, String name, String text) {
        terminal.out().println(StepTree.symbol(state, paint) + " " + padded(name) + " " + ControlCharacters.line(text));
    }

    private void print(LogLines.Line line) {
        String mark = line.stream().equals("stdout") ? "|" : "|" + line.stream() + "|";
        terminal.out().println("  " + padded(tree.shown(line.step())) + " " + paint.dim(mark) + " " + line.text());
    }

    private static String padded(String anyName) {
        String name = ControlCharacters.line(anyName);
        return name + " ".repeat(Math.max(0, NAME_WIDTH - name.length()));
    }
}
