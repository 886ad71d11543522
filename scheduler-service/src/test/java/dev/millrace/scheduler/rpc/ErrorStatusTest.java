package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorStatusTest {
    @ParameterizedTest
    @EnumSource
    void namesEveryCodeAsTheReason(ErrorCode code) throws Exception {
        com.google.rpc.Status status = details(new MillraceException(code, "What went wrong."));

        ErrorInfo info = status.getDetails(0).unpack(ErrorInfo.class);
        assertThat(info.getDomain()).isEqualTo("millrace.dev");
        assertThat(info.getReason()).isEqualTo(code.name());
    }

    @Test
    void tellsWhenToTryAgain() throws Exception {
        com.google.rpc.Status status = details(MillraceException.overloaded("Full.", Duration.ofSeconds(3)));

        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
        assertThat(status.getDetails(1).unpack(RetryInfo.class).getRetryDelay().getSeconds())
                .isEqualTo(3);
    }

    @Test
    void showsNothingOfTheInside() {
        StatusRuntimeException status = ErrorStatus.of(new IllegalStateException("secret"));

        assertThat(status.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(status).hasMessageNotContaining("secret");
    }

    @Test
    void tellsADatabaseThatIsAwayFromADefect() {
        RuntimeException away = new RuntimeException(new SQLException("gone", "08006"));
        RuntimeException defect = new RuntimeException(new SQLException("no such table", "42P01"));

        assertThat(ErrorStatus.of(new CompletionException(away)).getStatus().getCode())
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(ErrorStatus.of(defect).getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
    }

    private static com.google.rpc.Status details(MillraceException failure) {
        return Objects.requireNonNull(StatusProto.fromThrowable(ErrorStatus.of(failure)));
    }
}
