package dev.millrace.cli.local;

import dev.millrace.worker.SchedulerAccess;
import dev.millrace.worker.ScriptWorkerOptions;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The worker that tests start for scripts: the settings and the folder are those of the worker of {@code millrace dev}. */
public final class TestWorker {
    private TestWorker() {}

    /**
     * Reads its options. Afterwards scripts cannot read this process's environment.
     *
     * @param target that it connects to
     */
    public static ScriptWorkerOptions options(String target) {
        LogLevel.quiet();
        HiddenMemory.hide();
        Map<String, String> environment = System.getenv();
        Flags flags = new Flags().with(WorkerSettings.SCHEDULER_TARGET, target);
        SmallRyeConfig config = Settings.load(flags, Optional.empty(), environment);
        ScriptWorkerOptions options = WorkerSettings.read(config, environment).withAccess(SchedulerAccess.LOCAL);
        Path state = MillraceHome.stateFolder(environment);
        if (options.folder().startsWith(state)) {
            PrivateFolder.make(state);
        }
        return options;
    }
}
