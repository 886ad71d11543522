package dev.millrace.gateway.login;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.List;

/** Sends browsers elsewhere, with cookies. */
final class Redirect {

    private Redirect() {}

    /** An answer that makes a browser get another page. */
    static HttpResponse to(String address, String... cookies) {
        return HttpResponse.of(ResponseHeaders.builder(HttpStatus.SEE_OTHER)
                .set(HttpHeaderNames.LOCATION, address)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .add(HttpHeaderNames.SET_COOKIE, List.of(cookies))
                .build());
    }

    /**
     * An address for browsers that are at another one. It is relative, because only a proxy knows its prefix.
     *
     * @param root leads from there to the root of the gateway, for example {@code ./}
     * @param path of the gateway, beginning with a slash
     */
    static String address(String root, String path) {
        return root + path.substring(1);
    }

    /** The path of the login, after which the browser goes to a page of the gateway. */
    static String login(String returnTo) {
        return LoginEndpoints.LOGIN + "?"
                + QueryParams.of("return_to", returnTo).toQueryString();
    }
}
