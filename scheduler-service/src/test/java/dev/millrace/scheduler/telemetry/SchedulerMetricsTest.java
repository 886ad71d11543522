package dev.millrace.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.MetricCatalog;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchedulerMetricsTest {
    private static final Path REFERENCE = Path.of("../docs/reference/metrics.md");
    private static final Path WRITTEN = Path.of("target/metrics.md");
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    @Test
    void countsWhatJobsAndWorkersDo() throws InterruptedException {
        submit("waiting");
        submit("first");
        submit("second");
        awaitLine("millrace_queue_jobs{state=\"queued\",tag=\"first\"} 1.0");
        awaitLine("millrace_database_table_size_bytes{table=\"job_queue\"} ");
        assertThat(page()).contains("millrace_queue_oldest_job_age_seconds{tag=\"waiting\"} ");

        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "first", "second")) {
            Lease one = worker.take();
            Lease other = worker.take();
            awaitLine("millrace_worker_slots_used{group=\"all\"} 2.0");
            worker.report(ProcessReport.newBuilder()
                    .addProcesses(ScriptProcess.newBuilder()
                            .setWorkspace("default")
                            .setScriptHash("0".repeat(64))
                            .setLanguage("python3")
                            .setState(ScriptProcess.State.STATE_IDLE))
                    .build());
            worker.answer();
            assertThat(page())
                    .contains(
                            "millrace_worker_sessions 1.0",
                            "millrace_worker_processes{language=\"python3\",state=\"idle\"} 1.0");

            worker.giveBack(one);
            worker.succeed(other, "1");
            worker.succeed(worker.take(), "2");
            awaitLine("millrace_jobs_ended_total{outcome=\"succeeded\",tag=\"first\"} 1.0");
            awaitLine("millrace_jobs_ended_total{outcome=\"succeeded\",tag=\"second\"} 1.0");
        }
        assertThat(page())
                .contains(
                        "millrace_runs_accepted_total{kind=\"handler\"} 3.0",
                        "millrace_runs_ended_total{kind=\"handler\",outcome=\"succeeded\",path=\"first\",workspace=\"default\"} 1.0",
                        "millrace_job_wait_seconds_count{tag=\"first\"}",
                        "millrace_job_run_seconds_bucket{outcome=\"succeeded\",tag=\"second\",le=\"0.001\"} 1",
                        "millrace_grpc_calls_total{method=\"millrace.run.v1.RunService/SubmitRun\",status=\"OK\"} 3.0",
                        "millrace_lanes_connected 1.0",
                        "millrace_database_pool_connections_max{pool=\"general\"}")
                .containsPattern("millrace_jobs_requeued_total\\{tag=\"(first|second)\"} 1.0")
                .containsPattern("millrace_run_duration_seconds_bucket.* # \\{.*trace_id=\"" + TRACE);
    }

    @Test
    void areListedInTheReference() throws IOException {
        String table = MetricCatalog.table(SCHEDULER.metrics().definitions());
        Files.writeString(WRITTEN, table);

        assertThat(Files.readString(REFERENCE))
                .as("the table of the scheduler in docs/reference/metrics.md is the content of scheduler-service/"
                        + WRITTEN)
                .contains(table);
    }

    private static void submit(String tag) {
        SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunningScheduler.handler(
                                tag, spec -> spec.setTag(tag).setTraceparent("00-" + TRACE + "-00f067aa0ba902b7-01")))
                        .build());
    }

    private static String page() {
        return SCHEDULER.metrics().page("application/openmetrics-text").text();
    }

    private static void awaitLine(String start) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (page().lines().noneMatch(line -> line.startsWith(start))) {
            assertThat(System.nanoTime())
                    .as("time until " + start + " in " + page())
                    .isLessThan(deadline);
        }
    }
}
