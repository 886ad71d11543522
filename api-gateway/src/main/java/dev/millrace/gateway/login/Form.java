package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.nio.charset.StandardCharsets;

/** The fields of a form, as pages and OAuth clients send them. */
record Form(QueryParams fields) {

    private static final int FIELDS_MAX = 50;

    /** Reads the body. Fails with a problem if it is no form, or if a field is given twice. */
    static Form of(ApiRequest request) {
        var type = request.context().request().contentType();
        if (type == null || !type.belongsTo(MediaType.FORM_DATA)) {
            throw new ProblemException(Problem.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "unsupported_media_type",
                    "The body is " + (type == null ? "of no declared type" : type)
                            + " (expected: the header Content-Type: application/x-www-form-urlencoded)."));
        }
        var fields = QueryParams.fromQueryString(request.body().toString(StandardCharsets.UTF_8), FIELDS_MAX);
        for (var name : fields.names()) {
            if (fields.getAll(name).size() > 1) {
                throw new ProblemException(Problem.invalidField(name, "is given twice."));
            }
        }
        return new Form(fields);
    }

    /** A field; an empty text if it is absent. */
    String text(String name) {
        return fields.get(name, "");
    }
}
