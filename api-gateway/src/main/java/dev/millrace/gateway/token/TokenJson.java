package dev.millrace.gateway.token;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.identity.IdentityJson;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import java.io.IOException;

/** Tokens in JSON. */
final class TokenJson {

    static final String KIND_PREFIX = "KIND_";

    private static final JsonFields<TokenRestrictions.Builder> RESTRICTIONS = new JsonFields<
                    TokenRestrictions.Builder>()
            .field("workspaces", (json, cut) -> json.items(() -> cut.addWorkspaces(json.text())))
            .field("folders", (json, cut) -> json.items(() -> cut.addFolders(json.text())))
            .field("role_max", (json, cut) -> cut.setRoleMax(IdentityJson.role(json)))
            .field("tags", (json, cut) -> json.items(() -> cut.addTags(json.text())));

    private TokenJson() {}

    /** The fields of a new token of a user or service account. */
    static JsonFields<CreateTokenRequest.Builder> wish() {
        return new JsonFields<CreateTokenRequest.Builder>()
                .required("name", (json, create) -> create.setName(json.text()))
                .field("valid_for", (json, create) -> create.setValidFor(json.duration()))
                .field("restrictions", TokenJson::restrictions);
    }

    static void restrictions(JsonReader json, CreateTokenRequest.Builder create) throws IOException {
        json.object(RESTRICTIONS, create.getRestrictionsBuilder());
    }

    static void write(JsonWriter json, Token token) {
        json.text("id", token.getId());
        json.text("kind", EnumNames.json(token.getKind(), KIND_PREFIX));
        json.text("name", token.getName());
        json.optionalText("principal", token.getPrincipal());
        json.object("restrictions", inner -> IdentityJson.restrictions(inner, token.getRestrictions()));
        json.text("created_by", token.getCreatedBy());
        json.optionalText("issued_by", token.getIssuedBy());
        json.time("create_time", token.getCreateTime());
        json.time("expire_time", token.getExpireTime());
        json.time("last_use_time", token.getLastUseTime());
        json.time("revoke_time", token.getRevokeTime());
    }

    /** The answer to the call that issues a token. */
    static HttpResponse issued(String secret, Token token) {
        return Answers.json(HttpStatus.CREATED, json -> {
            json.text("secret", secret);
            json.object("token", inner -> write(inner, token));
        });
    }
}
