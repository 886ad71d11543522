package dev.millrace.worker.internal.handler;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.jobapi.SecretsAnswer;
import dev.millrace.worker.internal.secret.JobSecrets;
import dev.millrace.worker.internal.secret.Masks;
import dev.millrace.worker.internal.secret.core.TooManyPatternsException;
import dev.millrace.worker.internal.session.LeasedJob;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** Puts the secrets of a job into the input of its handler. */
final class HandlerSecrets {
    private HandlerSecrets() {}

    /**
     * Returns the input for the handler. For a job with secrets, waits for the scheduler to resolve them, and masks them
     * from here on in what the job sends.
     *
     * @throws JobException if they cannot be resolved
     */
    static FilledInput input(LeasedJob job, JobApiClient scheduler) throws InterruptedException {
        ByteString input = job.lease().getInput();
        if (!job.lease().getHasSecrets()) {
            return new FilledInput(input, Set.of());
        }
        try {
            SecretsAnswer answer = scheduler.resolveSecrets(job).get();
            if (answer instanceof SecretsAnswer.Refused refused) {
                throw failed(refused.error());
            }
            JobSecrets secrets = ((SecretsAnswer.Values) answer).secrets();
            Masks masks = new Masks();
            masks.add(secrets.masked());
            job.maskWith(masks);
            return new FilledInput(secrets.fill(input), secrets.pointers());
        } catch (TooManyPatternsException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw failed(SecretsAnswer.cannotUse(e));
        } catch (ExecutionException e) {
            throw failed(SecretsAnswer.refused(e).error());
        }
    }

    private static JobException failed(JobError error) {
        return new JobException(error.getName(), error.getMessage(), error.getRetryable());
    }
}
