BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE article_categories (
	article_id INTEGER NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	CONSTRAINT pk_article_categories PRIMARY KEY (article_id, name), 
	CONSTRAINT fk_article_categories_article_id FOREIGN KEY(article_id) REFERENCES articles (id) ON DELETE CASCADE
);
INSERT INTO "article_categories" VALUES(2,'News');
INSERT INTO "article_categories" VALUES(3,'News');
INSERT INTO "article_categories" VALUES(3,'Wood');
CREATE TABLE articles (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	published_at VARCHAR(27), 
	user_id INTEGER NOT NULL, 
	seo TEXT NOT NULL, 
	translations TEXT NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_articles_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_articles_user_id FOREIGN KEY(user_id) REFERENCES users (id), 
	CONSTRAINT uq_articles_directory_id_slug UNIQUE (directory_id, slug)
);
INSERT INTO "articles" VALUES(1,1,'article-0','2026-01-01T00:00:00.000000Z',1,'{"title":null,"description":null,"keywords":null,"og_title":null,"og_description":null,"og_image":null,"card_title":null,"card_description":null,"card_image":null,"canonical":null,"created_at":"2026-11-21T17:33:51.944031Z","updated_at":"2026-11-21T17:33:51.944031Z"}','{"fr":{"title":"Un 0"}}','{"title":"Article 0","slug":"article-0","content":null,"markdown":"*text*","active":true,"published_at":"2026-01-01T00:00:00.000000Z","thumbnail_url":null,"thumbnail_alt_text":null,"categories":[],"is_markdown":true}','2026-11-21T17:33:51.944728Z','2026-11-21T17:33:51.944728Z');
INSERT INTO "articles" VALUES(2,1,'article-1','2026-01-02T00:00:00.000000Z',1,'{"title":null,"description":null,"keywords":null,"og_title":null,"og_description":null,"og_image":null,"card_title":null,"card_description":null,"card_image":null,"canonical":null,"created_at":"2026-11-21T17:33:51.956381Z","updated_at":"2026-11-21T17:33:51.956381Z"}','{"fr":{"title":"Un 1"}}','{"title":"Article 1","slug":"article-1","content":null,"markdown":"*text*","active":true,"published_at":"2026-01-02T00:00:00.000000Z","thumbnail_url":null,"thumbnail_alt_text":null,"categories":["News"],"is_markdown":true}','2026-11-21T17:33:51.956490Z','2026-11-21T17:33:51.956490Z');
INSERT INTO "articles" VALUES(3,1,'article-2',NULL,1,'{"title":null,"description":null,"keywords":null,"og_title":null,"og_description":null,"og_image":null,"card_title":null,"card_description":null,"card_image":null,"canonical":null,"created_at":"2026-11-21T17:33:51.964301Z","updated_at":"2026-11-21T17:33:51.964301Z"}','{"fr":{"title":"Un 2"}}','{"title":"Article 2","slug":"article-2","content":null,"markdown":"*text*","active":true,"published_at":null,"thumbnail_url":null,"thumbnail_alt_text":null,"categories":["News","Wood"],"is_markdown":true}','2026-11-21T17:33:51.964403Z','2026-11-21T17:33:51.964403Z');
CREATE TABLE categories (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	title VARCHAR(255) NOT NULL, 
	parent_id INTEGER, 
	"order" INTEGER NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_categories_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_categories_parent_id FOREIGN KEY(parent_id) REFERENCES categories (id), 
	CONSTRAINT uq_categories_directory_id_slug UNIQUE (directory_id, slug)
);
INSERT INTO "categories" VALUES(1,1,'wood','Wood',NULL,0,'{"title":"Wood","slug":"wood","description":null,"content":null,"icon":null,"custom_icon_url":null,"is_active":true,"show_on_sidebar":true,"order":0,"seo_title":null,"seo_description":null,"head_html":null}','2026-11-21T17:33:51.706986Z','2026-11-21T17:33:51.706986Z');
INSERT INTO "categories" VALUES(2,1,'metal','Metal',1,0,'{"title":"Metal","slug":"metal","description":null,"content":null,"icon":null,"custom_icon_url":null,"is_active":true,"show_on_sidebar":true,"order":0,"seo_title":null,"seo_description":null,"head_html":null}','2026-11-21T17:33:51.718654Z','2026-11-21T17:33:51.718654Z');
CREATE TABLE custom_fields (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	fieldable_type VARCHAR(16) NOT NULL, 
	"order" INTEGER NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_custom_fields_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT uq_custom_fields_directory_id_name UNIQUE (directory_id, name)
);
INSERT INTO "custom_fields" VALUES(1,1,'founded','listing',0,'{"label":"Founded","type":"number","name":"founded","fieldable_type":"listing","placeholder":null,"description":null,"default_value":null,"value_prefix":null,"value_suffix":null,"options":[],"icon":null,"heroicon":null,"placement":null,"placement_on_card":null,"is_required":false,"is_visible":true,"show_on_card":false,"show_on_public_submission":false,"show_label":false,"show_label_on_card":false,"show_icon":false,"show_icon_on_card":false,"filterable":false,"order":0,"settings":null,"validation_rules":null}','2026-11-21T17:33:51.762843Z','2026-11-21T17:33:51.762843Z');
CREATE TABLE directories (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(255) NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	domain VARCHAR(255), 
	owner_id INTEGER NOT NULL, 
	locales VARCHAR(255) NOT NULL, 
	expired VARCHAR(16) NOT NULL, 
	organizers_enabled BOOLEAN NOT NULL, 
	organizers_prefix VARCHAR(255) NOT NULL, 
	organizers_label VARCHAR(255) NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_directories_owner_id FOREIGN KEY(owner_id) REFERENCES users (id), 
	CONSTRAINT uq_directories_domain UNIQUE (domain), 
	CONSTRAINT uq_directories_slug UNIQUE (slug)
);
INSERT INTO "directories" VALUES(1,'Tools','tools-3',NULL,1,'en,fr','badge',1,'/organizers','Organizer','2026-11-21T17:33:51.646335Z','2026-11-21T17:33:51.646335Z');
INSERT INTO "directories" VALUES(2,'Cafes','cafes-4',NULL,2,'en','badge',1,'/organizers','Organizer','2026-11-21T17:33:51.662318Z','2026-11-21T17:33:51.662318Z');
CREATE TABLE listing_categories (
	listing_id INTEGER NOT NULL, 
	category_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	CONSTRAINT pk_listing_categories PRIMARY KEY (listing_id, category_id), 
	CONSTRAINT fk_listing_categories_category_id FOREIGN KEY(category_id) REFERENCES categories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_listing_categories_listing_id FOREIGN KEY(listing_id) REFERENCES listings (id) ON DELETE CASCADE
);
INSERT INTO "listing_categories" VALUES(2,2,0);
INSERT INTO "listing_categories" VALUES(5,2,0);
CREATE TABLE listing_organizers (
	listing_id INTEGER NOT NULL, 
	organizer_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	CONSTRAINT pk_listing_organizers PRIMARY KEY (listing_id, organizer_id), 
	CONSTRAINT fk_listing_organizers_listing_id FOREIGN KEY(listing_id) REFERENCES listings (id) ON DELETE CASCADE, 
	CONSTRAINT fk_listing_organizers_organizer_id FOREIGN KEY(organizer_id) REFERENCES organizers (id) ON DELETE CASCADE
);
INSERT INTO "listing_organizers" VALUES(2,1,0);
INSERT INTO "listing_organizers" VALUES(4,1,0);
INSERT INTO "listing_organizers" VALUES(5,1,0);
INSERT INTO "listing_organizers" VALUES(7,2,0);
CREATE TABLE listing_tags (
	listing_id INTEGER NOT NULL, 
	tag_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	CONSTRAINT pk_listing_tags PRIMARY KEY (listing_id, tag_id), 
	CONSTRAINT fk_listing_tags_listing_id FOREIGN KEY(listing_id) REFERENCES listings (id) ON DELETE CASCADE, 
	CONSTRAINT fk_listing_tags_tag_id FOREIGN KEY(tag_id) REFERENCES tags (id) ON DELETE CASCADE
);
INSERT INTO "listing_tags" VALUES(2,2,0);
INSERT INTO "listing_tags" VALUES(2,1,1);
INSERT INTO "listing_tags" VALUES(4,2,0);
INSERT INTO "listing_tags" VALUES(4,1,1);
CREATE TABLE listings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	url_key TEXT, 
	user_id INTEGER NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_listings_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_listings_user_id FOREIGN KEY(user_id) REFERENCES users (id), 
	CONSTRAINT uq_listings_directory_id_slug UNIQUE (directory_id, slug), 
	CONSTRAINT uq_listings_directory_id_url_key UNIQUE (directory_id, url_key)
);
INSERT INTO "listings" VALUES(1,1,'tool-0','Tool 0','https://example.org/0',1,'{"name":"Tool 0","slug":"tool-0","description":null,"content":null,"url":"https://example.org/0","image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":null,"ends_at":null,"is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null,"founded":1900}','2026-11-21T17:33:51.813782Z','2026-11-21T17:33:51.813782Z');
INSERT INTO "listings" VALUES(2,1,'tool-1','Tool 1','https://example.org/1',1,'{"name":"Tool 1","slug":"tool-1","description":null,"content":null,"url":"https://example.org/1","image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":null,"ends_at":null,"is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null,"founded":1901}','2026-11-21T17:33:51.825422Z','2026-11-21T17:33:51.825422Z');
INSERT INTO "listings" VALUES(4,1,'tool-3','Tool 3','https://example.org/3',1,'{"name":"Tool 3","slug":"tool-3","description":null,"content":null,"url":"https://example.org/3","image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":null,"ends_at":null,"is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null,"founded":1903}','2026-11-21T17:33:51.840532Z','2026-11-21T17:33:51.840532Z');
INSERT INTO "listings" VALUES(5,1,'tool-4','Tool 4','https://example.org/4',1,'{"name":"Tool 4","slug":"tool-4","description":null,"content":null,"url":"https://example.org/4","image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":null,"ends_at":null,"is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null,"founded":1904}','2026-11-21T17:33:51.851618Z','2026-11-21T17:33:51.851618Z');
INSERT INTO "listings" VALUES(6,1,'long-address','Long address','https://example.org/%E5%BC%B2%E9%9B%9B%E5%98%93%E6%BA%A6%E5%B4%97%E8%B5%AA%E8%9E%88%E8%A9%B2%E7%BA%97%E6%A3%9F%E5%A8%83%E8%B1%B2%E5%86%A0%E7%BF%A5%E8%95%A4%E9%AF%80%E4%B9%85%E8%9C%82%E7%80%97%E6%AD%88%E9%A6%AA%E5%AC%95%E7%9A%A1%E5%87%AA%E5%83%9B%E5%85%81%E9%8D%8D%E4%BC%AD%E7%BB%8B%E6%A6%B9%E8%90%87%E5%86%B7%E9%86%89%E6%A9%A0%E8%98%8C%E8%B5%B6%E9%93%84%E6%AF%95%E7%A8%BF%E6%AE%8D%E6%A8%81%E8%A3%94%E7%8C%97%E5%83%80%E8%8D%85%E9%94%B9%E5%AB%8C%E6%97%8B%E9%BA%8E%E7%8F%B0%E5%B5%B9%E7%A2%95%E8%B8%9A%E8%90%87%E8%BB%BC%E6%99%8C%E7%93%94%E7%89%9F%E9%A4%B5%E8%B7%AB%E8%BA%AD%E8%81%99%E9%A5%A4%E5%89%AB%E8%AD%B8%E6%B4%92%E8%86%BF%E8%8C%88%E6%90%A5%E7%B3%BD%E9%90%BF%E7%B7%B6%E5%A4%91%E8%98%AF%E8%BC%94%E5%AF%90%E6%8B%B4%E9%82%AE%E8%81%96%E7%B5%AD%E8%B2%AE%E5%87%89%E8%A8%92%E5%8E%90%E7%95%BD%E9%B2%B2%E9%A7%AD%E9%A0%81%E8%81%A1%E6%8F%8E%E6%8E%94%E8%B9%89%E6%AC%8C%E4%BE%93%E6%9E%89%E9%8C%92%E9%90%AF%E6%AE%B7%E8%87%85%E8%BF%83%E7%A8%82%E9%9F%B5%E7%AC%B8%E8%A3%84%E7%81%B7%E9%90%A4%E9%AF%B1%E4%BA%BB%E7%BC%9C%E8%BE%99%E5%BA%8B%E9%81%A4%E9%97%9A%E6%A1%8D%E8%92%8A%E5%94%AF%E8%AE%94%E7%B2%AF%E9%9B%B5%E9%93%B6%E6%9E%94%E8%BA%9A%E8%8B%AA%E8%B0%92%E7%AE%AB%E8%8C%8B%E7%A9%8C%E4%B8%B3%E9%8B%AC%E9%8C%A2%E9%B7%8E%E9%B1%A4%E7%A1%A2%E8%A2%A4%E9%AB%88%E5%86%94%E6%AD%A3%E9%BD%93%E6%92%AE%E9%91%BF%E9%A3%8F%E6%94%A3%E5%A6%B9%E9%92%88%E6%BA%AD%E5%88%A7%E5%9C%84%E5%A2%A7%E5%80%A2%E8%9F%BB%E4%BF%9D%E7%87%BE%E6%B7%B1%E7%81%A2%E5%B0%83%E9%B7%B9%E6%96%A1%E7%A8%96%E7%8C%A8%E5%9B%A5%E6%8D%AF%E6%89%AE%E6%BA%AA%E9%86%81%E6%8E%85%E7%83%AE%E7%8E%B1%E8%A0%B3%E7%9C%B7%E8%B6%8D%E8%AA%A4%E5%B2%9D%E5%84%86%E7%97%AF%E7%BD%BA%E7%A7%B2%E8%8F%A0%E6%98%91%E6%BC%93%E5%AF%AB%E6%B9%B1%E8%BD%8B%E6%A3%83%E9%AE%85%E8%95%80%E5%82%AA%E6%AB%99%E5%81%89%E8%83%9B%E6%82%BF%E5%8A%85%E6%8A%82%E8%9C%8B%E8%BB%8E%E8%92%9C%E9%8E%B8%E6%A8%BC%E9%BA%BD%E9%80%9F%E8%9E%B5%E6%AA%91%E9%84%8F%E5%87%AD%E8%82%8C%E9%9E%B5%E7%9C%9E%E9%BB%82%E8%92%90%E5%96%86%E7%90%B8%E5%B8%96%E6%A4%A7%E5%90%92%E7%94%B7%E5%9C%8D%E5%9F%88%E7%96%B9%E7%90%A0%E6%89%80%E8%8D%85%E9%99%8F%E6%B9%8D%E5%BA%B0%E4%BC%95%E9%97%85%E5%8B%9A%E9%A6%98%E6%A7%9A%E9%9B%BE%E8%A3%BD%E6%8F%B4%E9%B6%BD%E8%BC%A2%E5%8B%8A%E7%B9%A1%E6%9E%A6%E7%A9%A8%E5%AA%AC%E6%A1%96%E9%9D%A4%E8%95%AA%E9%A6%B3%E6%9B%98%E8%B4%85%E5%AD%9D%E7%BF%AD%E7%8F%A5%E8%BA%86%E8%B7%B9%E5%80%B3%E7%9E%A4%E9%B1%9A%E8%85%BF%E7%88%83%E5%81%90%E6%88%97%E6%9E%B5%E7%9F%B3%E9%98%9B%E5%BD%8C%E7%A5%A7%E8%93%B1%E6%A5%84%E7%80%9D%E5%A9%97%E7%BA%8A%E9%90%98%E7%A8%83%E9%89%A4%E8%B0%84%E9%88%A9%E6%B0%88%E5%99%9C%E5%8C%AB%E5%A3%96%E5%BC%86%E6%8E%B8%E6%8D%91%E9%8B%A4%E6%A5%82%E7%81%8E%E7%A2%86%E9%AB%93%E8%BB%80%E6%BA%AD%E7%B4%9E%E7%A5%9F%E7%A6%8E%E5%B2%94%E7%8D%86%E6%B0%9A%E9%AD%8F%E8%B2%90%E5%BD%93%E9%A0%BC%E9%92%8C%E5%AD%98%E7%9C%8D%E5%8C%82%E8%88%8B%E5%9D%9E%E7%BA%AB%E6%83%9B%E5%B8%80%E7%A6%A2%E5%B2%AE%E9%B2%BE%E9%A4%B0%E7%B9%A3%E5%9F%8F%E9%9C%8F%E9%91%AF%E6%AA%A2%E9%99%B1%E5%A1%B6%E7%80%A4%E7%B2%B4%E7%8F%94%E9%98%BF%E9%89%A3%E5%B2%A1%E8%A2%98%E7%85%BA%E5%AF%8A%E5%8F%9B%E7%8F%9A%E4%BE%95%E9%B2%8C%E4%BF%9C%E5%A6%BC%E8%8B%AE%E5%B2%BB%E5%8C%9F%E6%98%8D%E6%B2%AC%E9%A4%9C%E8%8F%A3%E6%8A%BD%E5%B3%8A%E8%9E%B7%E6%8D%AC%E6%B3%A6%E6%89%98%E5%AC%A9%E8%96%B1%E7%B9%AB%E9%8D%BE%E7%8E%A2%E9%91%AD%E6%B9%AF%E8%AC%8E%E7%99%80%E5%AB%91%E6%A2%93%E7%9A%A1%E5%8C%92%E5%85%BD%E4%BD%98%E7%8F%94%E9%A9%9C%E7%9B%BD%E8%9E%94%E8%80%95%E7%98%99%E8%84%83%E5%98%8F%E5%98%B7%E7%9A%9E%E9%AB%BC%E8%A1%99%E5%B1%81%E6%B8%82%E6%A6%8B%E9%B4%94%E9%8D%BE%E8%A8%85%E7%AE%8B%E6%BC%A9%E6%95%B3%E9%8D%93%E6%A2%9A%E7%95%96%E6%9D%BF%E6%B6%89%E7%B0%A3%E5%A1%AA%E7%87%B0%E5%A5%B1%E8%9D%94%E5%A6%95%E9%9E%84%E7%A5%A0%E6%AC%9C%E7%BF%BB%E7%95%84%E5%8D%81%E7%9F%A3%E6%97%A9%E7%9A%8A%E9%A0%9C%E7%93%82%E6%B5%B7%E7%A3%8B%E5%AB%AB%E9%8E%A9%E9%B1%82%E9%A0%9C%E9%A9%88%E5%A7%88%E6%B5%9F%E6%A8%AE%E5%82%9B%E6%B4%B3%E8%85%AD%E5%9D%82%E7%81%8F%E9%92%8D%E5%9C%93%E5%9E%9D%E5%83%80%E9%BD%94%E4%BD%84%E7%8C%B9%E7%AF%B9%E8%B4%A3%E8%A8%82%E6%86%BC%E5%AB%AB%E8%B8%AE%E7%9F%BE%E5%9F%9E%E8%BC%AF%E6%90%AC%E6%93%BC%E6%84%A4%E6%80%9D%E7%9B%AE%E7%94%9E%E5%AE%AE%E8%BF%96%E9%AC%8A%E7%8E%91%E5%B8%AA%E6%A1%B6%E6%80%A2%E9%8F%92%E5%88%90%E7%99%B4%E9%B7%8F%E9%93%87%E6%A1%8B%E6%93%8D%E7%91%83%E8%95%A0%E9%8B%8C%E6%88%B5%E5%90%B7%E6%B6%A7%E6%B9%94%E5%98%BE%E8%9C%AD%E8%94%8F%E9%91%8E%E6%B8%87%E9%8D%8B%E8%98%BE%E9%8B%9F%E8%A0%86%E4%BD%A4%E8%82%A6%E7%A5%99%E6%8F%B4%E6%BC%85%E8%B0%AE%E5%84%9F%E8%8D%95%E9%9C%89%E5%81%AB%E5%97%BA%E7%AD%AE%E9%A0%BF%E5%BE%B3%E9%A7%B9%E5%B8%84%E5%BE%BA%E6%BC%AA%E7%85%B1%E8%83%AB%E9%98%B3%E8%85%96%E6%90%89%E9%B1%A4%E5%A5%AC%E6%AF%A4%E8%B0%B5%E4%BB%B5%E6%92%BA%E9%86%AC%E7%9A%9B%E8%B8%9D%E8%98%9A%E9%BF%8E%E6%AB%A4%E6%B2%83%E7%98%8F%E8%B5%9E%E8%AD%8A%E6%AB%8E%E8%8B%84%E7%A4%A1%E9%96%BB%E9%B0%BE%E7%84%BA%E6%A8%97%E5%90%AB%E5%9C%A8%E8%BD%BF%E7%B4%B1%E6%89%A9%E8%BD%BD%E6%A0%97%E7%97%A9%E7%90%BC%E7%91%98%E9%92%B2%E7%B6%91%E6%8C%A4%E8%A5%BD%E9%A8%9B%E5%A3%A0%E5%B7%86%E9%AE%94%E8%BF%89%E9%9C%9E%E7%B9%88%E6%92%90%E6%87%B0%E6%B8%93%E8%92%9F%E6%A7%9A%E9%9B%A5%E5%92%AC%E8%B5%9D%E8%81%A1%E9%BE%88%E7%AA%8A%E7%BC%A6%E8%BF%AD%E6%8C%98%E9%8E%A9%E5%8C%B5%E9%84%98%E5%A6%92%E6%BA%A9%E9%B9%B1%E5%AB%AF%E7%80%BE%E5%A2%B7%E5%BF%8E%E9%B3%B6%E5%A1%BF%E8%9B%B7%E6%B3%98%E7%BB%B0%E8%95%A9%E8%83%98%E6%8C%96%E7%9E%A8%E8%98%94%E5%B8%AB%E9%B6%AA%E8%B1%B5%E6%A4%A3%E5%B5%81%E8%94%B3%E9%AB%A3%E9%89%9B%E8%89%80%E5%B4%9D%E7%8F%92%E7%86%8A%E6%B7%85%E7%B9%BE%E9%96%99%E4%BA%83%E6%99%8C%E9%86%A1%E8%98%A9%E9%A0%9F%E5%82%B1%E5%87%B1%E9%B9%92%E9%AE%85%E6%B4%81%E6%BD%94%E6%A1%B2%E6%90%A0%E7%89%B3%E6%83%BF%E9%8D%AB',1,'{"name":"Long address","slug":"long-address","description":null,"content":null,"url":"https://example.org/弲雛嘓溦崗赪螈該纗棟娃豲冠翥蕤鯀久蜂瀗歈馪嬕皡凪僛允鍍伭绋榹萇冷醉橠蘌赶铄毕稿殍樁裔猗僀荅锹嫌旋麎珰嵹碕踚萇軼晌瓔牟餵跫躭聙饤剫譸洒膿茈搥糽鐿緶夑蘯輔寐拴邮聖絭貮凉訒厐畽鲲駭頁聡揎掔蹉欌侓枉錒鐯殷臅迃稂韵笸裄灷鐤鯱亻缜辙庋遤闚桍蒊唯讔粯雵银枔躚苪谒箫茋穌丳鋬錢鷎鱤硢袤髈冔正齓撮鑿飏攣妹针溭刧圄墧倢蟻保燾深灢尃鷹斡稖猨囥捯扮溪醁掅烮玱蠳眷趍誤岝儆痯罺秲菠昑漓寫湱轋棃鮅蕀傪櫙偉胛悿劅抂蜋軎蒜鎸樼麽速螵檑鄏凭肌鞵眞黂蒐喆琸帖椧吒男圍埈疹琠所荅陏湍庰伕闅勚馘槚雾製援鶽輢勊繡枦穨媬桖靤蕪馳曘贅孝翭珥躆跹倳瞤鱚腿爃偐戗枵石阛彌祧蓱楄瀝婗纊鐘稃鉤谄鈩氈噜匫壖弆掸捑鋤楂灎碆髓軀溭紞祟禎岔獆氚魏貐当頼钌存眍匂舋坞纫惛帀禢岮鲾餰繣埏霏鑯檢陱塶瀤粴珔阿鉣岡袘煺寊叛珚侕鲌俜妼苮岻匟昍沬餜菣抽峊螷捬泦托嬩薱繫鍾玢鑭湯謎癀嫑梓皡匒兽佘珔驜盽螔耕瘙脃嘏嘷皞髼衙屁渂榋鴔鍾訅箋漩敳鍓梚畖板涉簣塪燰奱蝔妕鞄祠欜翻畄十矣早皊頜瓂海磋嫫鎩鱂頜驈姈浟樮傛洳腭坂灏钍圓垝僀齔佄猹篹责訂憼嫫踮矾埞輯搬擼愤思目甞宮迖鬊玑帪桶怢鏒刐癴鷏铇桋操瑃蕠鋌戵吷涧湔嘾蜭蔏鑎渇鍋蘾鋟蠆佤肦祙援漅谮償荕霉偫嗺筮頿徳駹帄徺漪煱胫阳腖搉鱤奬毤谵仵撺醬皛踝蘚鿎櫤沃瘏赞譊櫎苄礡閻鰾焺樗含在轿紱扩载栗痩琼瑘钲綑挤襽騛壠巆鮔迉霞繈撐懰渓蒟槚雥咬赝聡龈窊缦迭挘鎩匵鄘妒溩鹱嫯瀾墷忎鳶塿蛷泘绰蕩胘挖瞨蘔師鶪豵椣嵁蔳髣鉛艀崝珒熊淅繾閙亃晌醡蘩頟傱凱鹒鮅洁潔桲搠牳惿鍫","image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":null,"ends_at":null,"is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null,"founded":null}','2026-11-21T17:33:51.860654Z','2026-11-21T17:33:51.860654Z');
INSERT INTO "listings" VALUES(7,1,'emile-s-lathe','Émile’s lathe 🎉',NULL,3,'{"name":"Émile’s lathe 🎉","slug":"emile-s-lathe","description":null,"content":null,"url":null,"image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":"2026-01-01T00:00:00.000000Z","ends_at":"2026-02-01T23:59:59.000000Z","is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null,"founded":null}','2026-11-21T17:33:51.876861Z','2026-11-21T17:33:51.876861Z');
INSERT INTO "listings" VALUES(8,2,'cafe','Café',NULL,2,'{"name":"Café","slug":"cafe","description":null,"content":null,"url":null,"image_url":null,"image_alt_text":null,"logo_url":null,"logo_alt_text":null,"video_url":null,"video_thumbnail_url":null,"additional_image_urls":[],"phone_number":null,"email":null,"address":null,"latitude":null,"longitude":null,"social_links":null,"starts_at":null,"ends_at":null,"is_active":true,"is_featured":false,"is_no_follow":false,"seo_title":null,"seo_description":null,"schema":null,"head_html":null}','2026-11-21T17:33:51.984027Z','2026-11-21T17:33:51.984027Z');
CREATE TABLE organizers (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	user_id INTEGER, 
	"order" INTEGER NOT NULL, 
	translations TEXT NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_organizers_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_organizers_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT uq_organizers_directory_id_slug UNIQUE (directory_id, slug), 
	CONSTRAINT uq_organizers_directory_id_user_id UNIQUE (directory_id, user_id)
);
INSERT INTO "organizers" VALUES(1,1,'atelier','Atelier',NULL,0,'{"fr":{"name":"L’atelier"}}','{"name":"Atelier","slug":"atelier","description":null,"content":null,"logo":null,"logo_url":null,"cover_image":null,"cover_image_url":null,"email":null,"phone":null,"address":null,"website_url":null,"social_links":null,"user_id":null,"is_active":true,"order":0}','2026-11-21T17:33:51.780208Z','2026-11-21T17:33:51.780208Z');
INSERT INTO "organizers" VALUES(2,1,'eve-co','Eve & Co',3,0,'{}','{"name":"Eve & Co","slug":"eve-co","description":null,"content":null,"logo":null,"logo_url":null,"cover_image":null,"cover_image_url":null,"email":null,"phone":null,"address":null,"website_url":null,"social_links":null,"user_id":3,"is_active":true,"order":0}','2026-11-21T17:33:51.798795Z','2026-11-21T17:33:51.798795Z');
CREATE TABLE pages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	"order" INTEGER NOT NULL, 
	seo TEXT NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_pages_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT uq_pages_directory_id_slug UNIQUE (directory_id, slug)
);
INSERT INTO "pages" VALUES(1,1,'page-0',2,'{"title":null,"description":null}','{"title":"Page 0","slug":"page-0","markdown":"# é","placement":"unlisted","is_published":true,"is_external":false,"external_url":null,"new_tab":false,"order":2}','2026-11-21T17:33:51.902465Z','2026-11-21T17:33:51.902465Z');
INSERT INTO "pages" VALUES(2,1,'page-1',1,'{"title":null,"description":null}','{"title":"Page 1","slug":"page-1","markdown":"# é","placement":"unlisted","is_published":true,"is_external":false,"external_url":null,"new_tab":false,"order":1}','2026-11-21T17:33:51.915799Z','2026-11-21T17:33:51.915799Z');
INSERT INTO "pages" VALUES(3,1,'page-2',0,'{"title":null,"description":null}','{"title":"Page 2","slug":"page-2","markdown":"# é","placement":"unlisted","is_published":true,"is_external":false,"external_url":null,"new_tab":false,"order":0}','2026-11-21T17:33:51.928007Z','2026-11-21T17:33:51.928007Z');
INSERT INTO "pages" VALUES(4,2,'menu',0,'{"title":null,"description":null}','{"title":"Menu","slug":"menu","markdown":null,"placement":"unlisted","is_published":true,"is_external":false,"external_url":null,"new_tab":false,"order":0}','2026-11-21T17:33:51.975880Z','2026-11-21T17:33:51.975880Z');
CREATE TABLE submitters (
	directory_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	CONSTRAINT pk_submitters PRIMARY KEY (directory_id, user_id), 
	CONSTRAINT fk_submitters_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_submitters_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
INSERT INTO "submitters" VALUES(1,3);
CREATE TABLE tags (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	directory_id INTEGER NOT NULL, 
	slug VARCHAR(255) NOT NULL, 
	data TEXT NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT fk_tags_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT uq_tags_directory_id_slug UNIQUE (directory_id, slug)
);
INSERT INTO "tags" VALUES(1,1,'free','{"title":"Free","slug":"free","color":"#00ff00","text_color":null,"icon":null,"heroicon":null,"show_title":true,"show_icon":true,"is_active":true}','2026-11-21T17:33:51.733423Z','2026-11-21T17:33:51.733423Z');
INSERT INTO "tags" VALUES(2,1,'new','{"title":"New","slug":"new","color":null,"text_color":null,"icon":null,"heroicon":null,"show_title":true,"show_icon":true,"is_active":true}','2026-11-21T17:33:51.744864Z','2026-11-21T17:33:51.744864Z');
CREATE TABLE tokens (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	user_id INTEGER NOT NULL, 
	directory_id INTEGER, 
	digest VARCHAR(64) NOT NULL, 
	scopes VARCHAR(64) NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	expires_at VARCHAR(27), 
	revoked_at VARCHAR(27), 
	CONSTRAINT fk_tokens_directory_id FOREIGN KEY(directory_id) REFERENCES directories (id) ON DELETE CASCADE, 
	CONSTRAINT fk_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT uq_tokens_digest UNIQUE (digest)
);
INSERT INTO "tokens" VALUES(1,1,NULL,'2b2b7254eed5aa2d6b5f2fb697deec8245bb66435e81aed6fd2fb9285288bb92','read,write','2026-11-21T17:33:51.654443Z',NULL,NULL);
INSERT INTO "tokens" VALUES(2,2,NULL,'523c3f264a8929d88b52162af8eff4a8f93a4057511aa4e475962f9a5f55a907','read,write','2026-11-21T17:33:51.665427Z',NULL,NULL);
INSERT INTO "tokens" VALUES(3,3,NULL,'99acdc9ca4e6b8a2c0b78ddff647e584d9bce41522ab1056e534ac365fd9518b','read,write','2026-11-21T17:33:51.686380Z',NULL,NULL);
INSERT INTO "tokens" VALUES(4,1,NULL,'fd470c0abab9ef14ba92ac91d9511a388664261c1db3967b0eda74394f6d8f3d','read,write','2026-11-21T17:33:51.990418Z',NULL,NULL);
CREATE TABLE users (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	email VARCHAR(255) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	created_at VARCHAR(27) NOT NULL, 
	updated_at VARCHAR(27) NOT NULL, 
	CONSTRAINT uq_users_email UNIQUE (email)
);
INSERT INTO "users" VALUES(1,'ada-1@example.org','Ada','2026-11-21T17:33:51.619419Z','2026-11-21T17:33:51.619419Z');
INSERT INTO "users" VALUES(2,'bob-2@example.org','Bob','2026-11-21T17:33:51.639072Z','2026-11-21T17:33:51.639072Z');
INSERT INTO "users" VALUES(3,'eve-5@example.org','Eve','2026-11-21T17:33:51.670989Z','2026-11-21T17:33:51.670989Z');
CREATE INDEX ix_articles_newest ON articles (directory_id, published_at DESC, id);
CREATE INDEX ix_categories_directory_id_order_id ON categories (directory_id, "order", id);
CREATE INDEX ix_categories_parent_id ON categories (parent_id);
CREATE INDEX ix_custom_fields_directory_id_order_id ON custom_fields (directory_id, "order", id);
CREATE INDEX ix_listings_directory_id_id ON listings (directory_id, id);
CREATE INDEX ix_organizers_directory_id_order_id ON organizers (directory_id, "order", id);
CREATE INDEX ix_pages_directory_id_order_id ON pages (directory_id, "order", id);
CREATE INDEX ix_article_categories_name ON article_categories (name);
CREATE INDEX ix_listing_categories_category_id ON listing_categories (category_id);
CREATE INDEX ix_listing_organizers_organizer_id ON listing_organizers (organizer_id);
CREATE INDEX ix_listing_tags_tag_id ON listing_tags (tag_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('users',3);
INSERT INTO "sqlite_sequence" VALUES('directories',2);
INSERT INTO "sqlite_sequence" VALUES('tokens',4);
INSERT INTO "sqlite_sequence" VALUES('categories',2);
INSERT INTO "sqlite_sequence" VALUES('tags',2);
INSERT INTO "sqlite_sequence" VALUES('custom_fields',1);
INSERT INTO "sqlite_sequence" VALUES('organizers',2);
INSERT INTO "sqlite_sequence" VALUES('listings',8);
INSERT INTO "sqlite_sequence" VALUES('pages',4);
INSERT INTO "sqlite_sequence" VALUES('articles',3);
COMMIT;
