package providers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream/eventstreamapi"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/bedrock"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Bedrock's runtime API with a Claude model: Anthropic's messages in its
// envelope.
type bedrockAPI struct{ *tape }

const bedrockModel = "anthropic.claude-3-5-sonnet-20241022-v2:0"

var bedrockAWS = provider{
	name: "bedrock", profile: toolset.ProfileAnthropic, dialect: asAnthropic, image: toolset.ImageBinary, ids: true, late: true,
	start: func(t *testing.T, tp *tape) llms.Model {
		t.Helper()
		web := httptest.NewServer(bedrockAPI{tp})
		t.Cleanup(web.Close)
		client := bedrockruntime.New(bedrockruntime.Options{
			Region: "us-east-1", BaseEndpoint: aws.String(web.URL), RetryMaxAttempts: 1,
			Credentials: aws.CredentialsProviderFunc(staticKeys),
		})
		model, err := bedrock.New(bedrock.WithClient(client), bedrock.WithModel(bedrockModel))
		require.NoError(t, err)
		return model
	},
}

func (b bedrockAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method, known := strings.CutPrefix(r.URL.Path, "/model/"+bedrockModel+"/")
	asked, err := readEnvelope(r.Body)
	if err != nil || !known {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusNotFound)
		return
	}
	asked.Stream = method == "invoke-with-response-stream"
	answer, err := b.take(readMessages(asked))
	switch {
	case err != nil:
		w.Header().Set("X-Amzn-ErrorType", "ValidationException")
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, object{"message": err.Error()})
	case asked.Stream:
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		for _, event := range answer.messageEvents() {
			writeChunk(w, event)
		}
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer.message())
	}
}

func readEnvelope(body io.Reader) (messagesRequest, error) {
	var asked struct {
		messagesRequest
		Version string `json:"anthropic_version"`
	}
	err := json.NewDecoder(body).Decode(&asked)
	if err == nil && asked.Version != "bedrock-2023-05-31" {
		err = fmt.Errorf("anthropic_version: %q", asked.Version)
	}
	return asked.messagesRequest, err
}

// writeChunk writes one event in AWS's binary framing.
func writeChunk(w io.Writer, event json.RawMessage) {
	message := eventstream.Message{}
	message.Headers.Set(eventstreamapi.MessageTypeHeader, eventstream.StringValue(eventstreamapi.EventMessageType))
	message.Headers.Set(eventstreamapi.EventTypeHeader, eventstream.StringValue("chunk"))
	message.Headers.Set(eventstreamapi.ContentTypeHeader, eventstream.StringValue("application/json"))
	message.Payload, _ = json.Marshal(object{"bytes": []byte(event)})
	_ = eventstream.NewEncoder().Encode(w, message)
}

func staticKeys(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
}
