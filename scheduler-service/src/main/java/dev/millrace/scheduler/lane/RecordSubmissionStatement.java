package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.Submission;
import java.sql.SQLException;
import java.util.List;

/** Records the request ids of submissions, so that a repeated request finds the runs of the first. */
record RecordSubmissionStatement(List<Submission> submissions) implements LaneStatement {
    static final Section<Submission, RecordSubmissionStatement> SECTION =
            new Section<>(FlushOrder.RECORD_SUBMISSION, RecordSubmissionStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with added as (
                insert into submission (workspace, folder, request_id, fingerprint, run_ids)
                select workspace, folder, request_id, decode(fingerprint, 'hex'), run_ids::uuid[]
                from $rows(workspace text, folder text, request_id text, fingerprint text, run_ids text) as s
                where not exists (select from submission e
                    where e.workspace = s.workspace and e.request_id = s.request_id and e.folder = '/' offset 0)
                on conflict do nothing
                returning 1
            )
            select expect_rows('record_submission', ?, (select count(*) from added))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return submissions.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.texts(submissions, submission -> submission.workspace().name());
        binder.texts(submissions, Submission::folder);
        binder.texts(
                submissions, submission -> submission.requestId().orElseThrow().value());
        binder.texts(
                submissions, submission -> submission.requestId().orElseThrow().fingerprint());
        binder.texts(submissions, RecordSubmissionStatement::runIds);
        binder.number(submissions.size());
    }

    private static String runIds(Submission submission) {
        StringBuilder array = new StringBuilder("{");
        submission.runs().forEach(run -> array.append(run.id()).append(','));
        array.setCharAt(array.length() - 1, '}');
        return array.toString();
    }
}
