package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"a", "ö", "漢", "😀", "%", "\n"})
    void keepsProblemsWithinWhatClientsTakeAndCountsTheRest(String character) throws Exception {
        List<FieldViolation> violations = IntStream.range(0, 100)
                .mapToObj(i -> new FieldViolation("steps[" + i + "]", i + " " + character.repeat(5_000)))
                .toList();

        StatusRuntimeException failure = ErrorStatus.of(MillraceException.invalidFlow("flow.yaml", violations));

        com.google.rpc.Status status = Objects.requireNonNull(StatusProto.fromThrowable(failure));
        List<BadRequest.FieldViolation> sent =
                status.getDetails(1).unpack(BadRequest.class).getFieldViolationsList();
        assertThat(sent.getFirst().getField()).isEqualTo("steps[0]");
        assertThat(sent.getLast().getField()).isEmpty();
        assertThat(sent.getLast().getDescription()).isEqualTo("and " + (101 - sent.size()) + " more");
        assertThat(trailersLength(failure)).isLessThan(8_000);
    }

    @Test
    void tellsAllProblemsThatFit() throws Exception {
        List<FieldViolation> violations = IntStream.range(0, 60)
                .mapToObj(i -> new FieldViolation("steps[" + i + "].id", "is no id"))
                .toList();

        com.google.rpc.Status status = details(MillraceException.invalid(violations));

        assertThat(status.getDetails(1).unpack(BadRequest.class).getFieldViolationsList())
                .hasSize(60)
                .allSatisfy(violation -> assertThat(violation.getDescription()).isEqualTo("is no id"));
    }

    @Test
    void cutsALongMessage() {
        StatusRuntimeException failure = ErrorStatus.of(
                new MillraceException(ErrorCode.FLOW_NOT_FOUND, "There is no flow " + "ü".repeat(4_096) + "."));

        assertThat(failure.getStatus().getDescription())
                .startsWith("There is no flow üü")
                .endsWith("ü…");
        assertThat(trailersLength(failure)).isLessThan(8_000);
    }

    /** Size as HTTP/2 counts a list of header fields: name, value and 32 bytes each. */
    private static int trailersLength(StatusRuntimeException failure) {
        byte[] details = Objects.requireNonNull(Objects.requireNonNull(failure.getTrailers())
                .get(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER)));
        String message = Objects.requireNonNull(failure.getStatus().getDescription());
        int encoded = 0;
        for (byte next : message.getBytes(StandardCharsets.UTF_8)) {
            encoded += next >= ' ' && next < 0x7f && next != '%' ? 1 : 3;
        }
        int names = 3 * 32 + "grpc-status-details-bin".length() + "grpc-message".length() + "grpc-status".length();
        return names + encoded + (details.length + 2) / 3 * 4;
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
