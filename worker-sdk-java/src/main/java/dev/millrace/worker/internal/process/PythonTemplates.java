package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.internal.runtime.Threads;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The templates of a worker: one for its own Python, and one for each further interpreter, which begins to start with the
 * first script that asks for it. Thread-safe. Processes in a sandbox have none, since forks would share it.
 */
final class PythonTemplates implements AutoCloseable {
    /** Largest number of templates, each of which takes some 30 MiB. Processes of further interpreters have none. */
    static final int TEMPLATES_MAX = 5;

    private final ExecutorService starter;
    private final ProcessCommands commands;
    private final Map<Optional<InstalledPython>, PythonTemplate> templates = new HashMap<>();
    private boolean closed;

    /** @param starter has one thread, which starts processes and lives as long as the worker */
    PythonTemplates(ExecutorService starter, ProcessCommands commands) {
        this.starter = requireNonNull(starter, "starter");
        this.commands = requireNonNull(commands, "commands");
    }

    /** Starts the template of the worker's own Python. */
    void startOwn() {
        PythonTemplate added = add(Optional.empty());
        if (added != null) {
            added.start(() -> commands.template(Optional.empty()));
        }
    }

    /**
     * Starts a process as a fork; empty if there is no template that has one.
     *
     * @param interpreter empty for the worker's own
     */
    Optional<Process> start(Optional<InstalledPython> interpreter, Supplier<PythonTemplate.Wish> wish)
            throws InterruptedException {
        PythonTemplate template = find(interpreter);
        if (template != null) {
            return template.start(wish.get());
        }
        PythonTemplate added = interpreter.isPresent() ? add(interpreter) : null;
        if (added != null) {
            Threads.daemon("millrace-template-start", () -> added.start(() -> commands.template(interpreter)))
                    .start();
        }
        return Optional.empty();
    }

    private synchronized @Nullable PythonTemplate find(Optional<InstalledPython> interpreter) {
        return templates.get(interpreter);
    }

    /** Null if there is one already, or must be none. */
    private synchronized @Nullable PythonTemplate add(Optional<InstalledPython> interpreter) {
        if (closed
                || commands.isSandboxed()
                || templates.containsKey(interpreter)
                || templates.size() >= TEMPLATES_MAX) {
            return null;
        }
        PythonTemplate template = new PythonTemplate(starter);
        templates.put(interpreter, template);
        return template;
    }

    @Override
    public synchronized void close() {
        closed = true;
        templates.values().forEach(PythonTemplate::close);
    }
}
