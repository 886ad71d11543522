package dev.millrace.cli.local;

import dev.millrace.handler.task.TaskPlugins;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.Worker;
import dev.millrace.worker.WorkerBuilder;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that the server runs itself. A worker inside its process takes them from the queue like any other job, so they
 * are as durable and as fenced.
 */
final class ServerTasks implements AutoCloseable {
    static final String FOLDER = "millrace.scheduler.task-folder";
    static final String GRPC_HOST = "millrace.grpc.host";
    static final String WORKER_NAME = "server-tasks";

    private static final int PREFETCH_PER_SLOT = 4;
    private static final String LOCALHOST = "localhost";
    /** Host settings of the scheduler that mean all addresses of this machine. */
    private static final Set<String> ANY_HOST = Set.of("0.0.0.0", "::");

    private final @Nullable TaskPlugins plugins;
    private final @Nullable Worker worker;

    private ServerTasks(@Nullable TaskPlugins plugins, @Nullable Worker worker) {
        this.plugins = plugins;
        this.worker = worker;
    }

    /**
     * Starts to take jobs for the plug-ins in the configured folder from this process's scheduler. Does nothing if
     * there are no plug-ins.
     */
    static ServerTasks start(SmallRyeConfig config, int schedulerPort) {
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
        String target = config.getOptionalValue(WorkerSettings.SCHEDULER_TARGET, String.class)
                .orElseGet(() -> target(config.getOptionalValue(GRPC_HOST, String.class), schedulerPort));
        WorkerBuilder worker = Worker.connect(target)
                .access(SchedulerConnection.read(config))
                .name(WORKER_NAME)
                .slots(slots)
                .prefetch(PREFETCH_PER_SLOT * slots);
        handlers.forEach(worker::handle);
        return new ServerTasks(plugins, worker.start());
    }

    private static String target(Optional<String> listensOn, int port) {
        String host = listensOn.filter(given -> !ANY_HOST.contains(given)).orElse(LOCALHOST);
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
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
