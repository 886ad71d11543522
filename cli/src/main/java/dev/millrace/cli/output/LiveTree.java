package dev.millrace.cli.output;

import dev.millrace.cli.client.LogChunk;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * View that shows a run on a terminal: log lines scroll above a tree of steps. The tree is redrawn at most some times a
 * second and only after changes, so that a fast flow does not wait for its terminal. The last drawing stays. The view's
 * own lock guards all state, because a separate thread draws.
 */
final class LiveTree implements RunView {
    private static final Duration REDRAW_INTERVAL = Duration.ofMillis(50);
    private static final int CHILDREN_MAX = 8;
    private static final int CHILDREN_MAX_AT_END = 40;
    /**
     * Line by line, because terminals such as tmux keep a screen that is erased as a whole: old drawings would fill the lines to
     * scroll back to.
     */
    private static final String ERASE_LINE_ABOVE = "\u001b[1F\u001b[2K";

    private final Terminal terminal;
    private final Paint paint;
    private final StepTree tree = new StepTree();
    private final LogLines logs = new LogLines();
    private final List<String> pendingLog = new ArrayList<>();
    private Optional<Run> run = Optional.empty();
    private int linesDrawn;
    private boolean isStale;
    private boolean isClosed;

    private LiveTree(Terminal terminal) {
        this.terminal = terminal;
        this.paint = terminal.paint();
    }

    static LiveTree start(Terminal terminal) {
        LiveTree view = new LiveTree(terminal);
        Thread.ofVirtual().name("live-tree").start(view::redrawUntilClosed);
        return view;
    }

    @Override
    public synchronized void run(Run newRun) {
        run = Optional.of(newRun);
        isStale = true;
    }

    @Override
    public synchronized void step(Step step) {
        if (tree.put(step)) {
            isStale = true;
        }
    }

    @Override
    public synchronized void log(LogChunk chunk) {
        logs.add(chunk).forEach(this::scroll);
        isStale = true;
    }

    @Override
    public StepTree tree() {
        return tree;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        logs.rest().forEach(this::scroll);
        draw(tree.lines(run, paint, CHILDREN_MAX_AT_END));
    }

    private void scroll(LogLines.Line line) {
        String name = line.step().isEmpty() ? "" : ControlCharacters.line(tree.shown(line.step())) + " ";
        String mark = line.stream().equals("stdout") ? "| " : "|" + line.stream() + "| ";
        pendingLog.add(paint.dim(name + mark) + line.text());
    }

    private void redrawUntilClosed() {
        while (redraw()) {
            LockSupport.parkNanos(REDRAW_INTERVAL.toNanos());
        }
    }

    private synchronized boolean redraw() {
        if (isStale && !isClosed) {
            draw(tree.lines(run, paint, CHILDREN_MAX, Math.max(1, terminal.rows() - 1)));
        }
        return !isClosed;
    }

    private void draw(List<String> lines) {
        terminal.out().control(ERASE_LINE_ABOVE.repeat(linesDrawn));
        StringBuilder screen = new StringBuilder();
        pendingLog.forEach(line -> screen.append(line).append('\n'));
        pendingLog.clear();
        lines.forEach(line -> screen.append(fitted(line)).append('\n'));
        terminal.out().print(screen);
        terminal.out().flush();
        linesDrawn = lines.size();
        isStale = false;
    }

    /** Cuts a line to the width of the terminal: a wrapped line would make the number of lines to go up wrong. */
    private String fitted(String line) {
        int visible = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\u001b') {
                i = line.indexOf('m', i);
            } else if (++visible > terminal.columns()) {
                return line.substring(0, i) + (terminal.hasColor() ? "\u001b[0m" : "");
            }
        }
        return line;
    }
}
