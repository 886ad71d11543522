package dev.millrace.worker.internal.jobapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobApiAnswerTest {
    @ParameterizedTest
    @CsvSource({
        "FAILED_PRECONDITION, LEASE_LOST, LeaseLost",
        "FAILED_PRECONDITION, SECRET_UNAVAILABLE, SecretUnavailable",
        "FAILED_PRECONDITION, NOT_WAITING, StateUnsuitable",
        "FAILED_PRECONDITION, WORKSPACE_ARCHIVED, StateUnsuitable",
        "PERMISSION_DENIED, PERMISSION_DENIED, NotAllowed",
        "NOT_FOUND, RUN_NOT_FOUND, InvalidCall",
        "UNAVAILABLE, SHUTTING_DOWN, SchedulerUnavailable"
    })
    void namesWhatTheSchedulerRefuses(Code code, String reason, String name) {
        Status status = Status.newBuilder()
                .setCode(code.value())
                .setMessage("It is so.")
                .addDetails(Any.pack(ErrorInfo.newBuilder().setReason(reason).build()))
                .build();

        JobApiAnswer.Failed failed = JobApiAnswer.Failed.of(StatusProto.toStatusRuntimeException(status));

        assertThat(failed.name()).isEqualTo(name);
        assertThat(failed.message()).endsWith("It is so.");
    }

    @Test
    void aRefusalWithoutAReasonIsALostLease() {
        JobApiAnswer.Failed failed = JobApiAnswer.Failed.of(
                io.grpc.Status.FAILED_PRECONDITION.withDescription("It is so.").asRuntimeException());

        assertThat(failed).isEqualTo(new JobApiAnswer.Failed("LeaseLost", "It is so."));
    }
}
