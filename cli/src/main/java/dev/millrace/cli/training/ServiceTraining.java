package dev.millrace.cli.training;

import dev.millrace.cli.Cli;
import dev.millrace.cli.local.DatabaseTemplate;
import dev.millrace.cli.local.LocalMillrace;
import dev.millrace.cli.local.LocalPlan;
import dev.millrace.cli.local.LogLevel;
import dev.millrace.cli.local.MillraceHome;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Runs scheduler, gateway and worker in this process under some load, so that the launcher can record loaded classes
 * and hot methods in a cache. Services that start with the cache are fast from their first job on.
 */
final class ServiceTraining {
    private static final Path FOLDER = Path.of("cli", "src", "training");
    /** Number of concurrent runs: batches are large then. */
    private static final int RUNS_AT_ONCE = 20;
    /** Number of runs and single jobs one after the other: batches are small then. */
    private static final int RUNS_ALONE = 5;
    /** Several times what slow machines need. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private ServiceTraining() {}

    /**
     * Makes a database template and puts the services under load.
     *
     * @param args the folder of the new template
     */
    public static void main(String[] args) throws IOException {
        Map<String, String> environment = System.getenv();
        LogLevel.quiet();
        RecordingLimit.start(LIMIT);
        LocalPlan plan = LocalPlan.ephemeral(MillraceHome.stateFolder(environment));
        DatabaseTemplate.make(Path.of(args[0]), plan.postgresBinaries());
        int failures = 0;
        try (LocalMillrace millrace = LocalMillrace.start(plan, step -> {})) {
            Cli cli = new Cli(Terminal.system());
            Path folder = MillraceHome.folder(environment).resolve(FOLDER);
            String flow = folder.resolve("flow.yaml").toString();
            String script = folder.resolve("fibo.py").toString();
            String server = millrace.gatewayUrl().toString();
            for (int i = 0; i < RUNS_AT_ONCE; i++) {
                failures += cli.execute("run", flow, "--detach", "--server", server);
            }
            for (int i = 0; i < RUNS_ALONE; i++) {
                failures += cli.execute("run", flow, "--server", server, "--output", "json");
                failures += cli.execute("run", script, "--input", "n=5", "--server", server, "--output", "json");
            }
            failures += cli.execute("runs", "list", "--server", server);
        }
        System.exit(failures == 0 ? 0 : 1);
    }
}
