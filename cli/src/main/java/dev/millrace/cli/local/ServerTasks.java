package dev.millrace.cli.local;

import dev.millrace.handler.task.TaskPlugins;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.Worker;
import dev.millrace.worker.WorkerBuilder;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that the server runs itself. A worker inside its process takes them from the queue like any other job, so they
 * are as durable and as fenced.
 */
final class ServerTasks implements AutoCloseable {
    static final String FOLDER = "millrace.scheduler.task-folder";
    static final String WORKER_NAME = "server-tasks";

    private static final int PREFETCH_PER_SLOT = 4;

    private final @Nullable TaskPlugins plugins;
    private final @Nullable Worker worker;

    private ServerTasks(@Nullable TaskPlugins plugins, @Nullable Worker worker) {
        this.plugins = plugins;
        this.worker = worker;
    }

    /**
     * Starts to take jobs for the plug-ins in the configured folder. Does nothing if there are no plug-ins.
     *
     * @param scheduler target of this process's scheduler within the process, so that its port may use TLS and demand
     *     tokens
     */
    static ServerTasks start(SmallRyeConfig config, String scheduler) {
        Optional<String> folder = config.getOptionalValue(FOLDER, String.class);
        if (folder.isEmpty()) {
            return new ServerTasks(null, null);
        }
        TaskPlugins plugins = TaskPlugins.load(Path.of(folder.get()));
        Map<String, JobHandler> handlers = plugins.handlers();
        if (handlers.isEmpty()) {
            return new ServerTasks(plugins, null);
        }
        int slots = Runtime.getRuntime().availableProcessors();
        WorkerBuilder worker =
                Worker.connect(scheduler).name(WORKER_NAME).slots(slots).prefetch(PREFETCH_PER_SLOT * slots);
        handlers.forEach(worker::handle);
        return new ServerTasks(plugins, worker.start());
    }

    @Override
    public void close() {
        if (worker != null) {
            worker.close();
        }
        if (plugins != null) {
            plugins.close();
        }
    }
}
