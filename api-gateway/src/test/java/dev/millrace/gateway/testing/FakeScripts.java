package dev.millrace.gateway.testing;

import com.google.rpc.Code;
import dev.millrace.proto.common.v1.Language;
import dev.millrace.proto.script.v1.DeleteScriptRequest;
import dev.millrace.proto.script.v1.DeleteScriptResponse;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptResponse;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.GetScriptResponse;
import dev.millrace.proto.script.v1.ListScriptsRequest;
import dev.millrace.proto.script.v1.ListScriptsResponse;
import dev.millrace.proto.script.v1.PlanScriptRequest;
import dev.millrace.proto.script.v1.PlanScriptResponse;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Scripts by path. */
public final class FakeScripts extends ScriptServiceGrpc.ScriptServiceImplBase {

    private final Map<String, Script> scripts = new ConcurrentSkipListMap<>();

    @Override
    public void deployScript(DeployScriptRequest request, StreamObserver<DeployScriptResponse> answer) {
        var script = Script.newBuilder()
                .setHash("beef")
                .setPath(request.getPath())
                .setWorkspace("default")
                .setLanguage(
                        request.getLanguage() == Language.LANGUAGE_UNSPECIFIED
                                        && request.getLanguageName().isEmpty()
                                ? Language.LANGUAGE_PYTHON
                                : request.getLanguage())
                .setLanguageName(request.getLanguageName())
                .setContent(request.getContent())
                .build();
        scripts.put(script.getPath(), script);
        answer.onNext(DeployScriptResponse.newBuilder()
                .setScript(script.toBuilder().clearContent())
                .build());
        answer.onCompleted();
    }

    @Override
    public void planScript(PlanScriptRequest request, StreamObserver<PlanScriptResponse> answer) {
        var planned = PlanScriptResponse.newBuilder()
                .setScript(Script.newBuilder()
                        .setHash("f00d")
                        .setPath(request.getPath())
                        .setLanguageName("python")
                        .setContent(request.getContent()));
        Optional.ofNullable(scripts.get(request.getPath())).ifPresent(planned::setCurrent);
        answer.onNext(planned.build());
        answer.onCompleted();
    }

    @Override
    public void getScript(GetScriptRequest request, StreamObserver<GetScriptResponse> answer) {
        var script = scripts.get(request.getPath());
        if (script == null) {
            answer.onError(Refusals.notFound("script", request.getPath()));
            return;
        }
        answer.onNext(GetScriptResponse.newBuilder().setScript(script).build());
        answer.onCompleted();
    }

    @Override
    public void listScripts(ListScriptsRequest request, StreamObserver<ListScriptsResponse> answer) {
        var response = ListScriptsResponse.newBuilder();
        scripts.values()
                .forEach(script -> response.addScripts(script.toBuilder().clearContent()));
        answer.onNext(response.build());
        answer.onCompleted();
    }

    /** A path that begins with {@code used} is used. */
    @Override
    public void deleteScript(DeleteScriptRequest request, StreamObserver<DeleteScriptResponse> answer) {
        if (request.getPath().startsWith("used") && !request.getForce()) {
            answer.onError(Refusals.of(Code.FAILED_PRECONDITION, "IN_USE", "It is used by the flow other."));
            return;
        }
        var script = scripts.remove(request.getPath());
        if (script == null) {
            answer.onError(Refusals.notFound("script", request.getPath()));
            return;
        }
        answer.onNext(DeleteScriptResponse.newBuilder()
                .setScript(script.toBuilder().clearContent())
                .build());
        answer.onCompleted();
    }
}
