package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.version.v1.DeployedVersion;
import dev.millrace.proto.version.v1.ListVersionsRequest;
import dev.millrace.proto.version.v1.ListVersionsRequest.Kind;
import dev.millrace.proto.version.v1.ListVersionsResponse;
import dev.millrace.proto.version.v1.VersionServiceGrpc;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class VersionServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    @Test
    void listsWhatAPathHasLedTo() {
        String first = deploy("1", "begin");
        String second = deploy("2", "");
        deploy("2", "the same again changes nothing");
        deploy("1", "back");

        ListVersionsResponse newest = list(Kind.KIND_SCRIPT, "history/a.py", 2, "");
        ListVersionsResponse oldest = list(Kind.KIND_SCRIPT, "history/a.py", 2, newest.getNextPageToken());

        assertThat(newest.getVersionsList())
                .extracting(
                        DeployedVersion::getNumber,
                        DeployedVersion::getHash,
                        DeployedVersion::getMessage,
                        DeployedVersion::getCurrent)
                .containsExactly(tuple(3L, first, "back", true), tuple(2L, second, "", false));
        assertThat(newest.getVersions(0).getActor()).isNotEmpty();
        assertThat(oldest.getVersionsList())
                .extracting(DeployedVersion::getHash, DeployedVersion::getMessage, DeployedVersion::getCurrent)
                .containsExactly(tuple(first, "begin", false));
        assertThat(oldest.getNextPageToken()).isEmpty();
        assertThat(list(Kind.KIND_FLOW, "history/a.py", 0, "").getVersionsList())
                .isEmpty();
    }

    @Test
    void listsVersionsOfFlows() {
        SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("f.yaml")
                        .setDefinition(
                                ByteString.copyFromUtf8("{millrace: v1, name: kept, steps: [{id: a, value: 1}]}"))
                        .setMessage("begin")
                        .build());

        assertThat(list(Kind.KIND_FLOW, "kept", 0, "").getVersionsList())
                .singleElement()
                .extracting(DeployedVersion::getMessage, DeployedVersion::getCurrent)
                .containsExactly("begin", true);
    }

    @Test
    void refusesLongMessagesAndUnknownKinds() {
        assertThat(violatedFields(
                        catchThrowableOfType(StatusRuntimeException.class, () -> deploy("1", "x".repeat(1_001)))))
                .containsExactly("message");
        assertThat(violatedFields(catchThrowableOfType(
                        StatusRuntimeException.class, () -> list(Kind.KIND_UNSPECIFIED, "history/a.py", 0, ""))))
                .containsExactly("kind");
    }

    private static String deploy(String text, String message) {
        return SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath("history/a.py")
                        .setContent(ByteString.copyFromUtf8("def main(): return " + text))
                        .setMessage(message)
                        .build())
                .getScript()
                .getHash();
    }

    private static ListVersionsResponse list(Kind kind, String path, int size, String token) {
        return VersionServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .listVersions(ListVersionsRequest.newBuilder()
                        .setKind(kind)
                        .setPath(path)
                        .setPageSize(size)
                        .setPageToken(token)
                        .build());
    }
}
