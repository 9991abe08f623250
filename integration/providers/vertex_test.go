package providers

import (
	"context"
	"net"
	"testing"

	"cloud.google.com/go/aiplatform/apiv1beta1/aiplatformpb"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/googleai"
	"github.com/tmc/langchaingo/llms/googleai/vertex"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/mcptoolset/mcptoolset/toolset"
)

// Vertex AI's API for Gemini, over gRPC.
type vertexAPI struct {
	aiplatformpb.UnimplementedPredictionServiceServer
	*tape
}

var vertexAI = provider{
	name: "vertex", profile: toolset.ProfileVertex, dialect: asVertex, image: toolset.ImageBinary,
	start: func(t *testing.T, tp *tape) llms.Model {
		t.Helper()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		server := grpc.NewServer()
		aiplatformpb.RegisterPredictionServiceServer(server, &vertexAPI{tape: tp})
		go func() { _ = server.Serve(listener) }()
		t.Cleanup(server.Stop)
		loopback := func(o *googleai.Options) {
			o.ClientOptions = append(o.ClientOptions,
				option.WithEndpoint(listener.Addr().String()),
				option.WithoutAuthentication(),
				option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))
		}
		model, err := vertex.New(t.Context(), googleai.WithCloudProject("project"), googleai.WithCloudLocation("location"),
			googleai.WithDefaultModel("gemini-2.5-flash"), loopback)
		require.NoError(t, err)
		t.Cleanup(func() { _ = model.Close() })
		return model
	},
}

func (v *vertexAPI) GenerateContent(_ context.Context, asked *aiplatformpb.GenerateContentRequest) (*aiplatformpb.GenerateContentResponse, error) {
	answers, err := v.answer(asked, false)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

func (v *vertexAPI) StreamGenerateContent(asked *aiplatformpb.GenerateContentRequest, to aiplatformpb.PredictionService_StreamGenerateContentServer) error {
	answers, err := v.answer(asked, true)
	if err != nil {
		return err
	}
	for _, answer := range answers {
		if err := to.Send(answer); err != nil {
			return err
		}
	}
	return nil
}

func (v *vertexAPI) answer(asked *aiplatformpb.GenerateContentRequest, streamed bool) ([]*aiplatformpb.GenerateContentResponse, error) {
	answer, err := v.take(readContents(asked, streamed))
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	var all []*aiplatformpb.GenerateContentResponse
	for _, raw := range answer.candidates(streamed) {
		response := new(aiplatformpb.GenerateContentResponse)
		if err := protojson.Unmarshal(raw, response); err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
		all = append(all, response)
	}
	return all, nil
}
