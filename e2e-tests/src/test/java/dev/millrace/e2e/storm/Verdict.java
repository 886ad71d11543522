package dev.millrace.e2e.storm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.storm.Storm.Submission;
import dev.millrace.e2e.storm.StormPlan.PlannedRun;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares a storm's rows in the database and files of its steps with what Millrace promises. Each accepted run has
 * ended once and as expected. Each result comes from the recorded attempt, which ran once and whose output is complete.
 * Nothing is left over.
 */
final class Verdict {
    /** Kinds of broken promises, so that a known defect can be told from a new one. */
    enum Breach {
        RUN_WRONG,
        RUN_UNKNOWN,
        STEP_TWICE,
        ATTEMPT_WRONG,
        ATTEMPT_TWICE,
        LOG_LINES,
        CACHE_WRONG,
        FOLDER_WRONG,
        LEFT_OVER
    }

    /** @param text what is wrong, and where */
    record Finding(Breach breach, String text) {}

    private static final int SUCCEEDED = 1;
    private static final int FAILED = 2;
    private static final List<String> STATES = List.of("", "succeeded", "failed", "canceled", "skipped");

    private final Connection connection;
    private final Path folder;
    private final Connections connections;
    private final List<Finding> findings = new ArrayList<>();
    private int stepsChecked;
    private int linesChecked;
    private int cachedChecked;
    private int foldersChecked;

    private Verdict(Connection connection, Path folder, Connections connections) {
        this.connection = connection;
        this.folder = folder;
        this.connections = connections;
    }

    /**
     * @param runsLeft ids of runs with rows in the queue
     * @param summary how much was checked
     */
    record Result(List<Finding> findings, Set<String> runsLeft, String summary) {}

    /**
     * @param folder files that the steps wrote
     * @param logs folder of the logs of all processes
     */
    static Result of(StormPlan plan, Map<Submission, String> runIds, Postgres postgres, Path folder, Path logs)
            throws SQLException, IOException {
        try (Connection connection = postgres.connect()) {
            var verdict = new Verdict(connection, folder, Connections.in(logs));
            Map<String, Root> roots = verdict.roots();
            plan.runs().forEach(run -> verdict.checkSubmissions(run, runIds, roots));
            verdict.checkOrigins(runIds, roots.keySet());
            verdict.checkSteps();
            verdict.checkNothingIsLeft();
            return new Result(
                    List.copyOf(verdict.findings),
                    verdict.runsLeft(),
                    roots.size() + " runs, " + verdict.stepsChecked + " steps of Python and Deno, "
                            + verdict.linesChecked + " lines of log, " + verdict.cachedChecked
                            + " results of the cache, " + verdict.foldersChecked + " shared folders");
        }
    }

    private record Root(
            String state, JsonNode result, @Nullable String error, int rows) {}

    private Map<String, Root> roots() throws SQLException {
        var roots = new HashMap<String, Root>();
        query(
                "select run_id, status, result, error_name || ': ' || error_message from job_history where step_key = ''",
                row -> {
                    String id = row.getString(1);
                    int rows = roots.containsKey(id) ? roots.get(id).rows + 1 : 1;
                    String result = row.getString(3);
                    roots.put(
                            id,
                            new Root(
                                    STATES.get(row.getInt(2)),
                                    Json.parse(result == null ? "null" : result),
                                    row.getString(4),
                                    rows));
                });
        return roots;
    }

    /** Checks that each submission was accepted, and that each run merged exactly the submissions that were told so. */
    private void checkSubmissions(PlannedRun run, Map<Submission, String> runIds, Map<String, Root> roots) {
        var merged = new HashMap<String, Set<Integer>>();
        for (int part = 0; part < run.kind().submissions(); part++) {
            String id = runIds.get(new Submission(run.number(), part));
            if (id == null) {
                find(Breach.RUN_WRONG, "submission " + part + " of " + run + " was never accepted");
            } else {
                merged.computeIfAbsent(id, _ -> new TreeSet<>()).add(part);
            }
        }
        merged.forEach((id, parts) -> checkRun(run, id, parts, roots));
    }

    private void checkRun(PlannedRun run, String id, Set<Integer> parts, Map<String, Root> roots) {
        Root root = roots.get(id);
        if (root == null) {
            find(Breach.RUN_WRONG, run + " (" + id + ") has not ended");
            return;
        }
        if (root.rows != 1) {
            find(Breach.RUN_WRONG, run + " (" + id + ") has ended " + root.rows + " times");
        }
        if (!root.state.equals(run.kind().endState())) {
            find(Breach.RUN_WRONG, run + " (" + id + ") has " + root.state + ", " + root.error);
            return;
        }
        int last = 0;
        if (run.kind() == Kind.DEBOUNCED) {
            var ran = new ArrayList<Integer>();
            root.result.path("parts").forEach(part -> ran.add(part.asInt()));
            if (!ran.stream().sorted().toList().equals(List.copyOf(parts))) {
                find(Breach.RUN_WRONG, run + " (" + id + ") ran with submissions " + ran + ", accepted " + parts);
                return;
            }
            last = ran.getLast();
        }
        JsonNode output = root.result.has("value") ? root.result.path("value") : root.result;
        JsonNode expected =
                Json.parse(Json.of(run.kind().output(run.value() + last)).toString());
        if (root.state.equals("succeeded") && !output.equals(expected)) {
            find(Breach.RUN_WRONG, run + " (" + id + ") resulted in " + output + ", expected " + expected);
        }
    }

    /** Checks that every run was accepted, or started by an accepted run. */
    private void checkOrigins(Map<Submission, String> runIds, Set<String> roots) throws SQLException {
        var known = new HashMap<String, Integer>();
        runIds.forEach((submission, id) -> {
            Integer other = known.put(id, submission.run());
            if (other != null && other != submission.run()) {
                find(Breach.RUN_UNKNOWN, "runs " + other + " and " + submission.run() + " are the same, " + id);
            }
        });
        var origins = new HashMap<String, String>();
        query("select run_id, origin_run_id from run_origin", row -> origins.put(row.getString(1), row.getString(2)));
        for (String root : roots) {
            String top = root;
            while (origins.containsKey(top)) {
                top = origins.get(top);
            }
            if (!known.containsKey(top)) {
                find(Breach.RUN_UNKNOWN, "run " + root + " was never asked for");
            }
        }
    }

    private void checkSteps() throws SQLException, IOException {
        Map<String, List<Effect>> effects = Effect.in(folder);
        Map<String, String> logs = logs();
        Map<String, List<Beginning>> beginnings = beginnings();
        var succeeded = new HashSet<String>();
        var nonces = new HashSet<String>();
        query(
                "select run_id, id, step_key, attempt, status, result, target, worker_name from job_history"
                        + " where kind = 1 and not from_cache",
                row -> {
                    String job = row.getString(2);
                    int attempt = row.getInt(4);
                    String where = "step '" + row.getString(3) + "' of run " + row.getString(1) + " (job " + job
                            + ", attempt " + attempt + " on " + row.getString(8) + ")";
                    List<Effect> own = effects.getOrDefault(job, List.of());
                    own.stream()
                            .filter(effect -> effect.attempt() > attempt)
                            .findFirst()
                            .ifPresent(late -> find(
                                    Breach.ATTEMPT_WRONG,
                                    where + ": attempt " + late.attempt() + " ran, too: " + described(own)));
                    if (row.getInt(5) == SUCCEEDED) {
                        stepsChecked++;
                        if (!succeeded.add(row.getString(1) + " " + row.getString(3) + " "
                                + begun(beginnings, row.getString(1), row.getString(3), job))) {
                            find(Breach.STEP_TWICE, where + " has succeeded twice");
                        }
                        checkResult(where, job, attempt, Json.parse(row.getString(6)), own, logs, nonces);
                    }
                });
        effects.values().forEach(this::checkAttempts);
        checkCached(effects, logs);
        checkFolders(beginnings);
    }

    private void checkAttempts(List<Effect> ofJob) {
        var begun = new HashSet<Integer>();
        for (Effect effect : ofJob) {
            if (effect.isBegin() && !begun.add(effect.attempt())) {
                find(
                        Breach.ATTEMPT_TWICE,
                        "attempt " + effect.attempt() + " of job " + effect.job() + " (step '" + effect.step()
                                + "') ran twice: " + described(ofJob));
            }
        }
    }

    private List<String> described(List<Effect> effects) {
        return effects.stream().map(connections::describe).toList();
    }

    /** The restart of a step and of all inside it; rows of the run with greater ids came later. */
    private record Beginning(String step, String id) {}

    private Map<String, List<Beginning>> beginnings() throws SQLException {
        var beginnings = new HashMap<String, List<Beginning>>();
        query(
                "select run_id, step_key, id from job_history where kind = 14",
                row -> beginnings
                        .computeIfAbsent(row.getString(1), _ -> new ArrayList<>())
                        .add(new Beginning(row.getString(2).replaceFirst("#.*", ""), row.getString(3))));
        return beginnings;
    }

    /** Number of restarts of the step, or of a step around it, before this row. */
    private static long begun(Map<String, List<Beginning>> beginnings, String run, String step, String id) {
        return beginnings.getOrDefault(run, List.of()).stream()
                .filter(again -> step.equals(again.step)
                        || step.startsWith(again.step + ".")
                        || step.startsWith(again.step + "["))
                .filter(again -> again.id.compareTo(id) < 0)
                .count();
    }

    /**
     * Checks that each cached result is the result of a job that had succeeded before, that nothing ran for it, and
     * that an available result was used.
     */
    private void checkCached(Map<String, List<Effect>> effects, Map<String, String> logs) throws SQLException {
        query("""
                select taken.run_id, taken.id, taken.step_key,
                    exists (select 1 from job_history made where made.kind = 1 and not made.from_cache and made.status = 1
                        and made.result->>'nonce' = taken.result->>'nonce' and made.ended_at <= taken.ended_at),
                    exists (select 1 from job_history inside where inside.run_id = taken.run_id and inside.step_key <> '')
                from job_history taken where from_cache
                """, row -> {
            String job = row.getString(2);
            String where = "step '" + row.getString(3) + "' of run " + row.getString(1) + " (job " + job + ")";
            cachedChecked++;
            if (!row.getBoolean(4)) {
                find(Breach.CACHE_WRONG, where + " took a result that nobody had made");
            }
            boolean ran = effects.containsKey(job)
                    || logs.containsKey(job + " 1")
                    || (row.getString(3).isEmpty() && row.getBoolean(5));
            if (ran) {
                find(Breach.CACHE_WRONG, where + " ran, and its result is from the cache");
            }
        });
        query(
                "select run_id from job_history where kind = 1 and step_key = 'taken' and not from_cache",
                row -> find(
                        Breach.CACHE_WRONG, "run " + row.getString(1) + " did not take the result of its first step"));
        query(
                "select result from result_cache c where not exists (select 1 from job_history h where h.kind = 1"
                        + " and h.status = 1 and h.result->>'nonce' = c.result->>'nonce')",
                row -> find(Breach.CACHE_WRONG, "the cache holds what nobody has made: " + row.getString(1)));
    }

    /**
     * State of a group of steps: they run in one session, and each finds the files of the previous ones and no others.
     */
    private record Group(String session, Set<String> nonces) {}

    private void checkFolders(Map<String, List<Beginning>> beginnings) throws SQLException {
        var groups = new HashMap<String, Group>();
        var sessions = new HashSet<String>();
        query("select id from worker_session where expires_at > now()", row -> sessions.add(row.getString(1)));
        query(
                """
                select run_id, id, step_key, status, session_id, result, error_name || ': ' || error_message
                from job_history where kind = 1 and step_key like 'box.%' order by id
                """,
                row -> {
                    String run = row.getString(1);
                    String step = row.getString(3);
                    String where = "step '" + step + "' of run " + run + " (job " + row.getString(2) + ")";
                    String key = run + " " + begun(beginnings, run, step, row.getString(2));
                    Group group = groups.get(key);
                    if (row.getInt(4) == SUCCEEDED) {
                        JsonNode result = Json.parse(row.getString(6));
                        var found = new HashSet<String>();
                        result.path("found").forEach(file -> found.add(file.asText()));
                        if (group == null) {
                            group = new Group(row.getString(5), new HashSet<>());
                            groups.put(key, group);
                            foldersChecked++;
                        }
                        if (!group.session.equals(row.getString(5))) {
                            find(Breach.FOLDER_WRONG, where + " ran in another session than the first of its group");
                        }
                        if (!group.nonces.equals(found)) {
                            find(
                                    Breach.FOLDER_WRONG,
                                    where + " found " + found + ", the steps before have left " + group.nonces);
                        }
                        group.nonces.add(result.path("nonce").asText());
                    } else if (row.getInt(4) == FAILED && !row.getString(7).startsWith("SharedFolderLost")) {
                        find(Breach.FOLDER_WRONG, where + " has failed, " + row.getString(7));
                    } else if (group != null && sessions.contains(group.session)) {
                        find(Breach.FOLDER_WRONG, where + " lost its folder, and the session of its worker lives");
                    }
                });
    }

    private void checkResult(
            String where,
            String job,
            int attempt,
            JsonNode result,
            List<Effect> effects,
            Map<String, String> logs,
            Set<String> nonces) {
        String nonce = result.path("nonce").asText();
        if (!nonces.add(nonce)) {
            find(Breach.ATTEMPT_WRONG, where + " has the result of another step");
        }
        if (result.path("attempt").asInt() != attempt) {
            find(Breach.ATTEMPT_WRONG, where + " has the result of attempt " + result.path("attempt"));
        }
        // Deno steps may not write files.
        boolean writesFiles = result.has("fence");
        if (writesFiles
                && effects.stream()
                                .filter(effect -> effect.nonce().equals(nonce) && effect.attempt() == attempt)
                                .map(Effect::what)
                                .filter(what -> what.equals("begin") || what.equals("end"))
                                .count()
                        != 2) {
            find(Breach.ATTEMPT_WRONG, where + " did not do what its result says: " + described(effects));
        }
        String log = logs.getOrDefault(job + " " + attempt, "");
        int lines = result.path("lines").asInt();
        linesChecked += lines;
        int missing = 0;
        int twice = 0;
        for (int i = 0; i < lines; i++) {
            String line = nonce + " " + i + "\n";
            int first = log.indexOf(line);
            missing += first < 0 ? 1 : 0;
            twice += first >= 0 && log.indexOf(line, first + 1) >= 0 ? 1 : 0;
        }
        if (missing + twice > 0) {
            find(
                    Breach.LOG_LINES,
                    where + ": of " + lines + " lines, " + missing + " are missing and " + twice + " are there twice");
        }
    }

    private Map<String, String> logs() throws SQLException {
        var logs = new HashMap<String, StringBuilder>();
        query(
                "select job_id, attempt, text from job_log where stream = 1 order by job_id, attempt, sequence",
                row -> logs.computeIfAbsent(row.getString(1) + " " + row.getInt(2), _ -> new StringBuilder())
                        .append(row.getString(3)));
        var texts = new HashMap<String, String>();
        logs.forEach((key, text) -> texts.put(key, text.toString()));
        return texts;
    }

    private void checkNothingIsLeft() throws SQLException {
        leftOver(
                "select format('job %s of run %s, step %s, kind %s, state %s, tag %s, attempt %s, held %s, run_after %s, session %s, created %s',"
                        + " id, run_id, step_key, kind, state, tag, attempt, held, run_after, session_id, created_at) from job_queue");
        leftOver("select 'mutex ' || name from mutex where expires_at > now()");
        leftOver("select 'note of run ' || child_run_id from child_note");
        leftOver("select 'group ' || group_key || ' of run ' || run_id from worker_group");
        leftOver(
                "select 'cache call of step ' || step_key || ' of run ' || run_id from result_cache_call where step_key <> '#uncached'");
        leftOver(
                "select 'session ' || id || ' of ' || worker_name from worker_session where expires_at < now() - interval '30 s'");
        leftOver(
                "select 'two sessions of ' || worker_name from worker_session where expires_at > now() and ended_at is null"
                        + " group by worker_name having count(*) > 1");
        leftOver("select 'bulk operation ' || id from bulk_operation where ended_at is null");
    }

    private Set<String> runsLeft() throws SQLException {
        var runs = new LinkedHashSet<String>();
        query("select run_id from job_queue order by created_at", row -> runs.add(row.getString(1)));
        return runs;
    }

    private void leftOver(String sql) throws SQLException {
        query(sql, row -> find(Breach.LEFT_OVER, row.getString(1) + " is left"));
    }

    private void find(Breach breach, String text) {
        findings.add(new Finding(breach, text));
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private void query(String sql, RowReader reader) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }
}
